import type { OfferedServices } from '#site/lib/service-days.ts'
import { t } from '#site/texts/texts.ts'
import { Field } from '#site/ui/Field.tsx'

/** Says which service the RSVP is for: the next one, unless the visitor chooses another. */
export function ServiceChoice({
  services: { offered, note, skipped },
  chosen,
  error,
}: {
  services: OfferedServices
  chosen: string | undefined
  error: string | undefined
}) {
  return (
    <div className="rsvp-form__day">
      {note && <p className="notice">{note}</p>}
      <Field label={t('For')} error={error}>
        {(wiring) => (
          <select {...wiring} name="serviceDate" defaultValue={chosen}>
            {offered.map(({ date, label }) => (
              <option key={date} value={date}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {skipped && <p className="rsvp-form__skipped">{skipped}</p>}
    </div>
  )
}
