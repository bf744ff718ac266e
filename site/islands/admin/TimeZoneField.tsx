import { useId, useState } from 'react'
import { isTimeZone } from '#db/values/dates.ts'
import { useHydrated } from '#site/lib/hooks.ts'
import { locale, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** A time zone, searched by typing a part of its name. That of this device comes first. */
export function TimeZoneField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (zone: string) => void
}) {
  const listId = useId()
  const hydrated = useHydrated()
  const own = hydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : value
  const [zones, setZones] = useState<string[]>([])

  return (
    <div className="schedule__zone">
      <Field label={t('Time Zone')} error={error}>
        {(wiring) => (
          <>
            <input
              {...wiring}
              name="timeZone"
              list={listId}
              value={value}
              autoComplete="off"
              spellCheck={false}
              onFocus={(event) => {
                // Typing then replaces what is there: browsers offer only names that contain it.
                event.currentTarget.select()
                setZones([...new Set([own, ...Intl.supportedValuesOf('timeZone')])])
              }}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
            <datalist id={listId}>
              {zones.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <span className="schedule__hint">
              {hydrated && isTimeZone(value) && t('It is {time} there now.', { time: timeIn(value) })}
            </span>
          </>
        )}
      </Field>
      {own !== value && (
        <Button variant="quiet" onClick={() => onChange(own)}>
          {t('Use {zone}, as this device', { zone: own })}
        </Button>
      )}
    </div>
  )
}

function timeIn(zone: string): string {
  return new Date().toLocaleTimeString(locale(), {
    timeZone: zone,
    weekday: 'long',
    hour: 'numeric',
    minute: '2-digit',
  })
}
