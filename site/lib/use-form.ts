import { type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Refuse } from '#site/stores/admin/attempt.ts'
import { addErrorToast } from '#site/stores/toasts.ts'

type Send = (text: (name: string) => string, refuse: Refuse, fields: FormData) => Promise<unknown>

/**
 * A form of the administration that is sent as a whole, once at a time. What is wrong with a field is said beside it,
 * and the first such field gets the focus.
 * @param send gets what is typed in the field of a name. True puts back what is stored, e.g. nothing in a password.
 */
export function useForm(send: Send) {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)

  function refuse(reason: string, field: string) {
    // E.g. a passkey, which has no field.
    if (field !== 'form' && !ref.current?.querySelector(`[name="${field}"]`)) addErrorToast(reason)
    flushSync(() => {
      setErrors((before) => ({ ...before, [field]: reason }))
      // Whoever reads the reason can send again at once.
      setPending(false)
    })
    if (field === 'form') return
    const first = ref.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')
    first?.focus()
    // It cannot be corrected, only typed anew.
    if (first?.type === 'password') first.select()
  }

  /** Also for a button that sends the form in another way. */
  async function run(act: Send) {
    const form = ref.current
    if (pending || !form) return
    const fields = new FormData(form)
    setErrors({})
    setPending(true)
    const isStored = await act((name) => String(fields.get(name) ?? ''), refuse, fields)
    setPending(false)
    if (isStored === true) form.reset()
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    run(send)
  }

  // Before the script has loaded a form sends nothing: what was typed, e.g. a password, would be in the address.
  return { form: { ref, onSubmit, noValidate: true, method: 'dialog' as const }, errors, pending, run, refuse }
}
