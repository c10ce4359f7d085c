import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { elapsed, heard } from "../../explorer/ui/notes.js"

test("a time is told in minutes and seconds", () => {
  deepStrictEqual([-5, 0, 9_999, 61_000, 3_600_000].map(elapsed), ["0:00", "0:00", "0:09", "1:01", "60:00"])
})

test("the notes follow their own way, and begin at its first step", () => {
  deepStrictEqual(heard("lecture", "lecture 7 shown"), { step: "7", hidden: false })
  deepStrictEqual(heard("lecture", "lecture 12 hidden"), { step: "12", hidden: true })
  for (const signal of ["", "five 3 shown", "lecture", "lecture x shown"]) strictEqual(heard("lecture", signal).step, "1")
})
