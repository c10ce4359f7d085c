// What the parts on this page share: strips that have come, stages that stand, those that wait for the engine, and Plotly.
// A host may say some of it before: `window.ldpStages = { plotly: Promise.resolve(Plotly) }`.
/** @type {Shared} */
const begun = { strips: new Map(), stages: new Map(), waiting: [], plotly: null, ...window.ldpStages }

/** @type {Shared} */
export const shared = Object.assign(window.ldpStages ??= begun, begun)  // the host's own object, completed
