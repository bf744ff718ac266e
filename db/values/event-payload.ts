import { defaultEvent } from './default-event.ts'
import type { EventPayload } from './event.ts'
import { type EventContent, type OptionalEventTexts, optionalTexts, requiredNames } from './event-content.ts'

/** The event to send, and to show at once: trimmed and with its defaults, as the server stores it. */
export function toPayload(content: EventContent): EventPayload {
  const texts = Object.entries(requiredNames).map(([name, shown]) => [
    name,
    content[shown].trim() || defaultEvent[shown],
  ])
  return { ...Object.fromEntries(texts), ...givenTexts(content) }
}

/** The optional texts that are not empty. */
export function givenTexts(texts: OptionalEventTexts): OptionalEventTexts {
  const trimmed = optionalTexts.map((name) => [name, texts[name]?.trim()])
  return Object.fromEntries(trimmed.filter(([, text]) => text))
}
