// What the windows of one browser tell each other: at which step of a way the room is, and that a key was pressed.
export const HERE = "ldpHere"
export const TURNED = "ldpTurned"
