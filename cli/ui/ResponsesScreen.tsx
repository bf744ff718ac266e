import { Box, type DOMElement, Text, useBoxMetrics, useWindowSize } from 'ink'
import { type ReactNode, useRef, useState } from 'react'
import { matching } from '#db/rsvp/search.ts'
import { dayText } from '#db/values/dates.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { sentencesOf } from '../errors.ts'
import { counted } from '../output.ts'
import { deletionQuestion, detailsOf, namesText, numberToType, responseColumns } from '../response-texts.ts'
import { distanceOf, edited, KeyHints, typed, useKeyState, useKeys } from './keys.tsx'
import { LabelledTexts } from './LabelledText.tsx'
import { applyKey, FieldText, newQuestion, type Question, QuestionInput } from './Question.tsx'
import { Table } from './Table.tsx'

export type ResponsesScreenProps = {
  /** Newest first. */
  responses: StoredRsvp[]
  /** The day of the service; undefined for all services. */
  week?: string | undefined
  /** The time zone of the moments that are shown. */
  zone: string
  /** @returns the ids that were found. */
  remove: (ids: number[]) => Promise<number[]>
  onEnd: () => void
}

type Mode = 'table' | 'search' | 'response' | 'question' | 'working'

type State = {
  responses: StoredRsvp[]
  /** The responses that the search finds. */
  shown: StoredRsvp[]
  search: string
  mode: Mode
  /** Position among the responses shown. */
  cursor: number
  selected: ReadonlySet<number>
  /** The responses that the question asks about. */
  toDelete: StoredRsvp[]
  question: Question | undefined
  notice: string
}

/** Title, table header, status, keys, the lines between them, and the last line, which stays empty. */
const OTHER_LINES = 8

const keys: Record<Mode, Record<string, string>> = {
  table: { enter: 'read', q: 'quit', '/': 'search', d: 'delete', space: 'select', a: 'select all' },
  search: { enter: 'done', esc: 'clear' },
  response: { '↑↓': 'scroll', esc: 'back', d: 'delete' },
  question: { esc: 'no' },
  working: {},
}

/** The responses in a table, on the whole terminal: search, read, select, delete. */
export function ResponsesScreen({ responses, week, zone, remove, onEnd }: ResponsesScreenProps) {
  const { columns, rows } = useWindowSize()
  const { state, get, change } = useKeyState(() => newState(responses))
  const { mode, shown, search } = state
  const height = Math.max(1, rows - OTHER_LINES - (week === undefined ? 0 : 1))
  const current = shown[state.cursor]
  const attending = shown.filter((response) => response.attending).length

  function searchFor(search: string) {
    const { responses } = get()
    change({ search, shown: responses.filter(matching(search)), selected: new Set(), cursor: 0, notice: '' })
  }

  function askToDelete() {
    const { mode, shown, selected, cursor } = get()
    const chosen = mode === 'response' ? [] : shown.filter(({ id }) => selected.has(id))
    const toDelete = chosen.length > 0 ? chosen : shown.slice(cursor, cursor + 1)
    change({ mode: 'question', toDelete, question: newQuestion(numberToType(toDelete.length)), notice: '' })
  }

  async function deleteChosen() {
    const { toDelete, responses, search, cursor } = get()
    change({ mode: 'working' })
    try {
      const found = await remove(toDelete.map(({ id }) => id))
      const left = responses.filter((response) => !toDelete.includes(response))
      const notice = `Deleted ${counted(found.length, 'response')}. See \`rsvp list --deleted\` and \`rsvp restore\`.`
      change({ ...newState(left), search, shown: left.filter(matching(search)), cursor, notice })
      move(0)
    } catch (error) {
      change({ mode: 'table', notice: sentencesOf(error).join(' ') })
    }
  }

  function move(by: number) {
    const { cursor, shown } = get()
    change({ cursor: Math.max(0, Math.min(cursor + by, shown.length - 1)) })
  }

  function select(ids: number[]) {
    const { selected } = get()
    const next = new Set([...selected, ...ids])
    if (next.size === selected.size) for (const id of ids) next.delete(id)
    change({ selected: next, notice: '' })
  }

  const handlers: Record<Mode, (key: string) => unknown> = {
    table(key) {
      const { shown, search, cursor } = get()
      const by = distanceOf(key, height, shown.length)
      const current = shown[cursor]
      if (by !== 0) return move(by)
      if (key === 'escape' && search !== '') return searchFor('')
      if (key === 'q' || key === 'escape') return onEnd()
      if (key === '/') return change({ mode: 'search', notice: '' })
      if (current === undefined) return
      if (key === 'enter') return change({ mode: 'response', notice: '' })
      if (key === ' ') return select([current.id])
      if (key === 'a') return select(shown.map(({ id }) => id))
      if (key === 'd' || key === 'delete') return askToDelete()
    },
    search(key) {
      const search = edited(get().search, key)
      if (search !== undefined) return searchFor(search)
      if (key === 'escape') searchFor('')
      if (key === 'escape' || key === 'enter') change({ mode: 'table' })
    },
    response(key) {
      if (key === 'q' || key === 'escape' || key === 'enter') change({ mode: 'table' })
      else if (key === 'd' || key === 'delete') askToDelete()
    },
    question(key) {
      const { question } = get()
      const result = question && applyKey(question, key)
      if (result === true) deleteChosen()
      else if (result === false) change({ mode: 'table' })
      else change({ question: result })
    },
    // Nothing but Ctrl+C, which ends every command.
    working() {},
  }

  useKeys(
    (key) => handlers[get().mode](key),
    (text) => get().mode === 'search' && searchFor(typed(get().search, text.trim())),
  )

  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <Box flexDirection="column" marginBottom={1} flexShrink={0}>
        <Text wrap="truncate-end">
          <Text bold>RSVP Responses</Text>
          {`  Attending ${attending}, Not Attending ${shown.length - attending}`}
        </Text>
        {week !== undefined && <Text wrap="truncate-end">For {dayText(week)}</Text>}
      </Box>
      <Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
        {mode === 'response' && current !== undefined ? (
          <ScrollView height={height}>
            <LabelledTexts texts={detailsOf(current, zone)} />
          </ScrollView>
        ) : shown.length === 0 ? (
          <Text>
            {search === ''
              ? 'No responses here. `rsvp list --week all` shows all.'
              : 'No response contains these words. Press / to search for others.'}
          </Text>
        ) : (
          <Table
            columns={responseColumns(zone)}
            rows={shown}
            width={columns}
            height={height}
            cursor={state.cursor}
            isMarked={({ id }) => state.selected.has(id)}
          />
        )}
      </Box>
      <Box flexDirection="column" marginTop={1} flexShrink={0}>
        <Box minHeight={2} flexDirection="column" justifyContent="flex-end">
          <Status {...state} />
        </Box>
        <KeyHints keys={keys[mode]} />
      </Box>
    </Box>
  )
}

function newState(responses: StoredRsvp[]): State {
  return {
    responses,
    shown: responses,
    search: '',
    mode: 'table',
    cursor: 0,
    selected: new Set(),
    toDelete: [],
    question: undefined,
    notice: '',
  }
}

/** The question, the search or a notice, and which responses are shown. */
function Status({ mode, shown, cursor, selected, search, toDelete, question, notice }: State) {
  if (mode === 'question' && question !== undefined) {
    return (
      <>
        <Text>
          <Text bold>{deletionQuestion(toDelete.length)}</Text> ({namesText(toDelete)})
        </Text>
        <QuestionInput question={question} />
      </>
    )
  }
  if (mode === 'search') {
    return (
      <Box gap={1}>
        <Text>Search:</Text>
        <FieldText text={search} />
      </Box>
    )
  }
  const parts = [
    shown.length > 0 && `${cursor + 1} of ${shown.length}`,
    selected.size > 0 && `${selected.size} selected`,
    search !== '' && `searching for: ${search}`,
  ]
  return (
    <>
      {notice !== '' && <Text>{notice}</Text>}
      <Text dimColor wrap="truncate-end">
        {parts.filter(Boolean).join(', ') || ' '}
      </Text>
    </>
  )
}

/** Shows `height` lines of something longer; arrows and page keys scroll it. */
function ScrollView({ height, children }: { height: number; children: ReactNode }) {
  const inner = useRef<DOMElement>(null)
  const content = useBoxMetrics(inner)
  const [scrolled, setScrolled] = useState(0)
  const last = Math.max(0, content.height - height)
  const top = Math.min(scrolled, last)

  useKeys((key) => setScrolled(Math.max(0, Math.min(last, top + distanceOf(key, height, last)))))

  return (
    <Box flexDirection="column">
      <Box height={height} overflow="hidden" contentOffsetY={top} flexDirection="column">
        <Box ref={inner} flexDirection="column" flexShrink={0}>
          {children}
        </Box>
      </Box>
      <Text dimColor>{last > 0 ? `${top < last ? '↓ more below' : '↑ more above'}` : ' '}</Text>
    </Box>
  )
}
