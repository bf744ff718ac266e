// biome-ignore lint/performance/noBarrelFile: what every visitor loads is one script, which compresses better than four.
export { EventCard, EventStart } from './EventCard.tsx'
export { Responses } from './Responses.tsx'
export { RsvpForm } from './RsvpForm.tsx'
export { Toaster } from './Toaster.tsx'
