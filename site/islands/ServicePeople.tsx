import type { ServiceDay } from '#site/lib/days.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Sentence } from '#site/ui/Sentence.tsx'

/** Which service a list is for, and how many people come to it. */
export function ServicePeople({ service, people }: { service: ServiceDay; people: number | undefined }) {
  if (!people) return t('For {day}', { day: service.label })
  return (
    <Sentence
      text="{people} on {day}"
      people={
        <strong className="responses__people">
          {plural(people, '{count} person is coming', '{count} people are coming')}
        </strong>
      }
      day={service.label}
    />
  )
}
