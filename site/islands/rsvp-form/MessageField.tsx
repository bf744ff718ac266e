import { useState } from 'react'
import { MESSAGE_MAXIMUM } from '#db/rsvp/maximum.ts'
import { t } from '#site/texts/texts.ts'
import { Field } from '#site/ui/Field.tsx'

/** The counter appears once no more than this many characters are left. */
const COUNTER_FROM = 200

export function MessageField({ text, error }: { text: string; error: string | undefined }) {
  const [length, setLength] = useState(text.length)
  const left = MESSAGE_MAXIMUM - length

  return (
    <Field label={t('Message')} optional error={error}>
      {(wiring) => (
        <>
          <textarea
            {...wiring}
            name="message"
            rows={4}
            defaultValue={text}
            onInput={(event) => setLength(event.currentTarget.value.trim().length)}
            placeholder={t('Any special notes or prayer requests?')}
          />
          <p className="field__count" role="status">
            {left <= COUNTER_FROM && t('Characters left: {count}', { count: left })}
          </p>
        </>
      )}
    </Field>
  )
}
