// What the scripts take for granted, for the type checker alone: no browser loads this file.

/** What Streamlit hands to the script of a component. */
interface Component<Data> {
  data: Data
  parentElement: HTMLElement
  setStateValue(name: string, value: unknown): void
  setTriggerValue(name: string, value: unknown): void
}

/** What another host hands to the stage: a scene, its strip, its place, and who hears of it. */
type Hosted = Pick<Component<Uint8Array>, "data" | "parentElement"> & Partial<Component<Uint8Array>> & { strip?: Uint8Array }

interface HTMLElement {
  /** The HTML or the drawing that was last written into it. */
  written?: string
  drawn?: string | null
  /** The stage that lives in it. */
  stage?: Stage
}

/** The phone's page (explorer/poll/phone), which stands before the script of explorer/ui/phone.js where it is sent. */
declare function mountPhone(root: HTMLElement, given: Record<string, unknown>): void

type Stage = import("./stage/stage.js").Stage

/** The words of a scene, and its figure or "null", both as the JSON that the server has sent. */
type EncodedScene = [words: string, figure: string]
type Strip = { token: string; scenes: Map<number, EncodedScene>; size: number }

interface Shared {
  strips: Map<string, Strip>
  stages: Map<string, Stage>
  waiting: (() => void)[]
  /** Plotly as it is asked for: by the stage, or by a host that has one of its own and says so before it mounts. */
  plotly: Promise<Plotly | null> | null
  Plotly?: Plotly
  Stage?: typeof import("./stage/stage.js").Stage
}

interface Navigator {
  connection?: { saveData: boolean }
}

interface Window {
  Plotly?: Plotly
  ldpStages?: Partial<Shared>
  ldpPage?: string
  /** Ends the listening for keys that is under way. */
  ldpKeys?: () => void
  ldpNotes?: () => void
  /** How a file that travels unpacks its parts and runs its scripts. */
  ldpUnpack: (id: string) => Promise<string>
  ldpRun: (id: string) => Promise<void>
}

/*
 * What a stage and its host say to each other, Streamlit or any other (`host.js`). Everything is JSON, in lines without a
 * line break; HTML in it is escaped by who sends it.
 *
 * A scene, as the stage receives it, has three lines: a `Head`, then `WordsOfScene`, then a `Figure` without the template,
 * which the head has, or null where the words bring a drawing. A strip has one line, its `StripHead`, and then, packed with
 * gzip, two lines for each of its stops: words and figure. A stage paints from the strip of its key whose token is its own,
 * whichever of the two comes first.
 *
 * What comes back is named in `Told`. A stage is only sent what it needs anew: another scene in its place says all.
 * Names that stand here and are not sent, or the other way around, turn `tests/test_stage.py` red.
 */
interface Told {
  /** The handle rests: the level there, and the time, by which the head of the answer says what it has `heard`. A state. */
  level: { level: number; at: number }
  /** A view that is chosen: its slug, and after a space the row of a figure that was clicked, or the number in a drawing. */
  view: string
  /** The settings of a plan's button, as it was sent. */
  take: Record<string, unknown>
  /** A level that was typed, in the reader's own notation. */
  typed: string
  /** The page's background is another than before: what is drawn in its colors is to be sent anew. */
  paper: string
}
type Tell = <Name extends keyof Told>(name: Name, value: Told[Name]) => void

/** The parts of a scene that are words; `answer`, `note`, `drawing` and `sketch` are HTML. */
type WordsOfScene = {
  answer: string
  note: string
  alt: string
  drawing: string | null  // in place of a figure
  sketch?: string  // the figure as the server draws it, which stands until Plotly has, or for good
  takes?: Take[]
}
/** A plan's button; where all that it sets is set already, it only says so. */
type Take = { text: string; set: boolean; settings: Record<string, unknown> }
type Option = { slug: string; title: string }
type HandleWords = {
  name: string
  stops: number[]  // the levels; by their places all else is named
  written: string[]
  spoken: string[]
  notes: string[]
  index: number  // where the handle stands
  ends: [string, string]
  exact: string  // what the box for an exact level is called; empty: none can be typed
}
type Labels = {
  views: string
  more: string
  tools: string
  full: string
  leave: string
  fit: string
  whole: string
  save: string
  png: string
  svg: string
  pending: string
  plotly_failed: string
}
type Head = {
  key: string  // names the stage: its strip has the same
  views: Option[]  // in the row; one view alone shows no row
  more: Option[]  // behind the menu
  chosen: string
  labels: Labels
  handle: HandleWords | null
  token: string  // names everything that the scenes depend on beside the level: of another one nothing is kept
  heard: number  // the time of the last level that was heard: an older answer does not move the handle
  template: Template | null  // of all figures of the page
  plotly: string  // the address of Plotly's script below that of the app; empty: the sketch of each scene is its figure
  direction: string
  lecture: boolean
  least: number  // px that the figure needs on a phone
  stem: string  // the name of a picture that is saved, and the line below it
  origin: { source?: string; symbol?: string }
}
/** A `late` strip has no stops: its scenes are still to be made, since this time. Of another, 0: it was sent before. */
type StripHead = { key: string; late: number; token: string; stops: number[] }
type Template = { layout?: { font?: { size?: number; family?: string } } }

/** Numbers as the server packs them: what they are, and their bytes in letters. */
type Packed = { dtype: Dtype; bdata: string }
type Dtype = "f8" | "f4" | "i4" | "u4" | "i2" | "u2" | "i1" | "u1"

// Of Plotly's own types only what is used; what it derives is nobody's promise.
type Trace = Record<string, any>
type Layout = Record<string, any>
type Figure = { data: Trace[]; layout: Layout; frames?: unknown[] }
/** What stands drawn: its traces, and all that is not traces as text. */
type Drawn = { data: Trace[]; replayed: boolean; around: string; template: unknown }
type Difference = { path: string; one: any; other: any }
type Emitted = Record<string, any>

interface Plotly {
  version: string
  react(place: HTMLElement, figure: Figure & { config: object }): Promise<unknown>
  restyle(place: HTMLElement, change: object, traces: number[]): Promise<unknown>
  purge(place: HTMLElement): void
  downloadImage(figure: Figure, options: object): Promise<unknown>
}

/** A place in which Plotly has drawn, or will. */
interface PlotlyPlace extends HTMLElement {
  busy?: boolean
  data: Trace[]
  calcdata: any[]
  _fullData: Trace[]
  _fullLayout: Layout
  _transitionData?: { _frames: unknown[] }
  on(name: string, heard: (event: Emitted) => void): void
  emit(name: string): void
}

/** What a course platform gives to a file by SCORM 1.2. */
interface Scorm {
  LMSInitialize(nothing: string): string
  LMSSetValue(name: string, value: string): string
  LMSCommit(nothing: string): string
  LMSFinish(nothing: string): string
}

/** What a file that travels says of itself. */
type Travelling = { version: string; drawn: boolean; scored: boolean; editions: TravelEdition[] }
type TravelEdition = {
  language: string
  direction: string
  title: string
  labels: Record<string, string>
  notes: string
  steps: TravelStep[]
}
type TravelStep = {
  name: string
  title: string
  question: string
  predict: boolean
  control: string
  task: string[]
  remark: string
  versions: TravelVersion[]
}
type TravelVersion = { title: string; source: string; link: string; states: Record<string, string> }
/** A view at every stop: its head, with the template of dark paper and its usual colors, and its scenes. */
type TravelState = { head: Head & { dark: Template | null; colors: Record<string, string>; settings: string }; scenes: TravelScene[] }
/** A scene, and what stands below it as JSON; the colors that are not the usual ones on dark paper, by their places. */
type TravelScene = { words: string; figure: string; below: string; unusual: (number | string)[] }
type TravelBelow = { why: string; tasks: [string, string][]; numbers?: string }

/** What a notebook's loader of widgets hands to a cell: the traits that its kernel shares. */
interface NotebookTraits {
  level: number
  state: DataView
  plotly: DataView
  language: string
  question: string
  origin: string
}
interface NotebookModel {
  get<Name extends keyof NotebookTraits>(name: Name): NotebookTraits[Name]
  set(name: "level", value: number): void
  save_changes(): void
  on(name: "change:level", heard: () => void): void
  off(name: "change:level", heard: () => void): void
}
