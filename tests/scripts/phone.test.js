import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { Messages } from "../../explorer/ui/phone.js"

test("each message waits for the answer to the one before, and hears no other's", async () => {
  const sent = [], messages = new Messages(message => sent.push(message))
  const one = messages.ask("join", { pin: "" }), other = messages.ask("state", {})
  await Promise.resolve()
  deepStrictEqual(sent, [{ asked: "join", id: 1, fields: { pin: "" } }])
  messages.hear(null)
  messages.hear({ id: 7, status: 404 })
  strictEqual(sent.length, 1)
  messages.hear({ id: 1, status: 200, body: { ticket: "T" } })
  deepStrictEqual(await one, { id: 1, status: 200, body: { ticket: "T" } })
  await Promise.resolve()
  deepStrictEqual(sent.at(-1), { asked: "state", id: 2, fields: {} })
  messages.hear({ id: 2, status: 409 })
  strictEqual((await other).status, 409)
})

test("a lost message counts as no connection, and its answer comes too late", async () => {
  const messages = new Messages(() => {})
  strictEqual((await messages.ask("report", {}, 0.01)).status, 0)
  messages.hear({ id: 1, status: 200 })
  const next = messages.ask("report", {}, 5)
  await Promise.resolve()
  await Promise.resolve()
  messages.hear({ id: 2, status: 200 })
  strictEqual((await next).status, 200)
})
