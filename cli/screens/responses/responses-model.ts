import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Question } from '../../ui/question.ts'

export const sortings = ['newest', 'oldest', 'name', 'status'] as const
export type Sorting = (typeof sortings)[number]

/** What is going on: looking at the table, typing a search, reading one response, being asked, or waiting for a write. */
export type Mode = 'table' | 'search' | 'response' | 'question' | 'working' | 'help'

export type ResponsesState = {
  responses: StoredRsvp[]
  /** False while more of them are being read. */
  complete: boolean
  /** How many times a reload was requested. */
  round: number
  /** The highest id that was ever read: later responses have higher ones. */
  newest: number
  /** How many responses have come in since. */
  newer: number
  mode: Mode
  search: string
  /** Position of the cursor in the search text. */
  searchCursor: number
  sorting: Sorting
  /** Position of the cursor among the responses shown. */
  cursor: number
  selected: ReadonlySet<number>
  /** What the question is about: exactly these are deleted, whatever arrives in the meantime. */
  asked: StoredRsvp[]
  question: Question | undefined
  /** What was deleted here and can be brought back, the last one at the end. */
  deletions: StoredRsvp[][]
  notice: string
}

export const nothingRead: ResponsesState = {
  responses: [],
  complete: false,
  round: 0,
  newest: 0,
  newer: 0,
  mode: 'table',
  search: '',
  searchCursor: 0,
  sorting: 'newest',
  cursor: 0,
  selected: new Set(),
  asked: [],
  question: undefined,
  deletions: [],
  notice: '',
}
