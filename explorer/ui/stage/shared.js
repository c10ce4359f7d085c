// What the parts on this page share: strips that have come, stages that stand, those that wait for the engine, and Plotly.
/** @type {Shared} */
export const shared = (window.ldpStages ??= { strips: new Map(), stages: new Map(), waiting: [], plotly: null })
