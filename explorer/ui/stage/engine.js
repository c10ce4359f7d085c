// The engine comes once to a page, and drives all stages that stand there and wait for it.
import { shared } from "./shared.js"
import { Stage } from "./stage.js"

export default function () {
  shared.Stage = Stage
  shared.waiting.splice(0).forEach(begin => begin())
}
