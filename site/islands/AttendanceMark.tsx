import { statusText } from '#db/rsvp/texts.ts'
import { StatusMark } from '#site/ui/StatusMark.tsx'

/** Whether somebody comes, by icon, word and colour. */
export function AttendanceMark({ attending }: { attending: boolean }) {
  return <StatusMark tone={attending ? 'yes' : 'no'}>{statusText({ attending })}</StatusMark>
}
