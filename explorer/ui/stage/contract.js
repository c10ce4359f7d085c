// What a stage must be sent: `scripts.d.ts` describes it, and a name that only one of the two has is an error of types.

/** @type {Record<keyof Head, string>} */
const HEAD = {
  key: "string", views: "object", more: "object", chosen: "string", labels: "object", handle: "object", token: "string",
  heard: "number", template: "object", plotly: "string", direction: "string", lecture: "boolean", least: "number",
  stem: "string", origin: "object",
}
/** @type {Record<keyof HandleWords, string>} */
const HANDLE = {
  name: "string", stops: "object", written: "object", spoken: "object", notes: "object", index: "number", ends: "object",
  exact: "string",
}
/** @type {Record<keyof Labels, string>} */
const LABELS = {
  views: "string", more: "string", tools: "string", full: "string", leave: "string", fit: "string", whole: "string",
  save: "string", png: "string", svg: "string", pending: "string", plotly_failed: "string",
}

/**
 * The fields that are missing, or of another kind.
 * @param {Record<string, string>} kinds
 * @param {Record<string, unknown>} fields
 * @param {string} before
 */
const lacking = (kinds, fields, before = "") =>
  Object.keys(kinds).filter(name => typeof fields[name] !== kinds[name]).map(name => before + name)

/**
 * The fields that a head lacks, those of its parts too: none in one that can be shown.
 * @param {Record<string, any>} head
 */
export const missing = head => [
  ...lacking(HEAD, head),
  ...lacking(LABELS, head.labels ?? {}, "labels."),
  ...head.handle ? lacking(HANDLE, head.handle, "handle.") : [],
]
