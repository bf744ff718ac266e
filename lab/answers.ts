import { setTimeout as wait } from 'node:timers/promises'
import { type AgeGroup, ageGroups } from '#db/family-member/schema.ts'

const CLIENTS = 8
const ROLES = 6
/** Every so often an answer is sent twice with the same key, as by a phone on a bad line. */
const TWICE_EVERY = 10
const PAUSE_MS = 20

/** An answer as it is sent; with the same content it must be stored. Its name is nobody else's. */
export type Sent = {
  name: string
  email: string
  phone: string | null
  message: string | null
  attending: boolean
  familyMembers: { name: string; age: AgeGroup | null; attending: boolean }[]
  volunteerRoles: number[]
}

/** What was sent, what was answered with which id, and which answers must not be. */
export class Answers {
  readonly sent = new Map<string, Sent>()
  readonly acknowledged = new Map<string, number>()
  readonly refused: string[] = []
}

/** The same for the same number: with and without family and roles, short and long. */
export function makeAnswer(number: number): Sent {
  const name = `Visitor ${number}`
  return {
    name,
    email: `${number}@visitor.example`,
    phone: number % 3 === 0 ? `+1 555 ${number}` : null,
    message: number % 5 === 0 ? 'We look forward to it. '.repeat(1 + (number % 40)).trim() : null,
    attending: number % 7 !== 0,
    familyMembers: Array.from({ length: number % 4 }, (_, place) => ({
      name: `${name} Junior ${place}`,
      age: ageGroups[(number + place) % 4] ?? null,
      attending: place !== 2,
    })),
    volunteerRoles: Array.from({ length: ROLES }, (_, place) => place + 1).filter((id) => (number >> id) & 1),
  }
}

/** Several clients that answer as fast as they are answered, until they are told to stop. */
export function startClients(url: string, answers: Answers): { stop(): Promise<void> } {
  let goesOn = true

  async function client(): Promise<void> {
    while (goesOn) {
      const answer = makeAnswer(answers.sent.size)
      answers.sent.set(answer.name, answer)
      await send(answer, answers.sent.size % TWICE_EVERY === 0 ? 2 : 1)
    }
  }

  async function send(answer: Sent, times: number): Promise<void> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': answer.email }
    const body = JSON.stringify(answer)
    try {
      for (let time = 0; time < times; time++) {
        await note(answer.name, await fetch(`${url}/api/rsvp`, { method: 'POST', headers, body }))
      }
    } catch {
      // The server is gone, so nobody was promised anything.
      await wait(PAUSE_MS)
    }
  }

  async function note(name: string, reply: Response): Promise<void> {
    const text = await reply.text()
    if (reply.status !== 201) return void answers.refused.push(`${name} was answered with ${reply.status}: ${text}`)
    const { id } = JSON.parse(text)
    const before = answers.acknowledged.get(name) ?? id
    if (before !== id) answers.refused.push(`${name} was told ${before}, and ${id} when asked again`)
    answers.acknowledged.set(name, id)
  }

  const clients = Array.from({ length: CLIENTS }, client)
  return {
    async stop() {
      goesOn = false
      await Promise.all(clients)
    },
  }
}
