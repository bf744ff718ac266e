import type { ServiceDay } from '#site/lib/service-days.ts'

/** Which service a list is for, and how many people come to it. */
export function ServicePeople({ service, people }: { service: ServiceDay; people: number | undefined }) {
  if (!people) return `For ${service.label}`
  const who = people === 1 ? 'person is' : 'people are'
  return (
    <>
      <strong className="responses__people">{`${people.toLocaleString('en-US')} ${who} coming`}</strong>
      {` on ${service.label}`}
    </>
  )
}
