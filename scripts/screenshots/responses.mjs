// Stores the responses that the screens show: the same people in every run.
import { sampleRsvp } from '#db/rsvp/sample.ts'
import { Random } from '../../lab/random.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000
/** How long before now the last response of a week came. */
const LAST_MS = 30 * 60_000

/** What only some screens have to cope with. */
const special = [
  {
    name: 'Bartholomew Featherstonehaugh-Wolfeschlegelstein',
    email: 'bartholomew.featherstonehaugh-wolfeschlegelstein@a-very-long-domain-name.example',
    phone: '+1 (555) 010-0142 extension 7',
    message:
      'We arrive late, at about half past ten, and bring two cakes.\nPlease keep four seats near the door: my mother walks with a frame.',
    attending: true,
    familyMembers: [
      { name: 'Anne-Marie Featherstonehaugh-Wolfeschlegelstein', age: 'adult' },
      { name: 'Theodore', age: 'child' },
    ],
    volunteerRoles: [1, 3],
  },
  { name: 'Jo', email: 'jo@example.org', attending: false, message: 'שבת שלום, next week again!' },
]

/**
 * Stores them oldest first, by the calls that browsers make.
 * @param {number[]} weeks how many for each, this week last
 * @param {(moment: Date) => void} setClock sets the clock of the site
 * @returns the private link of one of them, e.g. `/answer?key=…`
 */
export async function storeResponses(url, weeks, now, setClock) {
  const random = new Random(1)
  setClock(new Date(now.getTime() - weeks.length * WEEK_MS))
  await send(url, 'PATCH /api/schedule', { weekday: 6, startTime: '10:00', timeZone: 'UTC' })
  // Of two one is there, of one none, and one is filled.
  for (const [role, needed] of [2, 1, 1].entries())
    await send(url, `PATCH /api/volunteer-roles/${role + 1}`, { needed })
  let link
  for (const [place, count] of weeks.entries()) {
    const end = now.getTime() - (weeks.length - 1 - place) * WEEK_MS - LAST_MS
    for (let number = 1; number <= count; number++) {
      setClock(new Date(end - ((count - number) * 5 * 24 * 3_600_000) / count))
      const isLast = place === weeks.length - 1
      const response = (isLast && special[count - number]) || sample(random)
      link = await store(url, response)
    }
  }
  return link
}

/** Only with roles that are never filled: others would be refused. */
function sample(random) {
  return sampleRsvp(() => random.next(), [4, 5, 6])
}

async function store(url, response) {
  const { link } = await send(url, 'POST /api/rsvp', response)
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** Sends JSON to a site, e.g. `PATCH /api/schedule`. */
export async function send(url, call, body) {
  const [method, path] = call.split(' ')
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${call}: ${await reply.text()}`)
  return reply.status === 204 ? undefined : reply.json()
}
