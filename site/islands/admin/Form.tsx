import { type ComponentProps, createContext, type SubmitEvent, useContext, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Refuse } from '#site/stores/admin/attempt.ts'
import { addErrorToast } from '#site/stores/toasts.ts'
import { Button } from '#site/ui/Button.tsx'
import { FieldError, FieldErrors } from '#site/ui/Field.tsx'

type Send = (text: (name: string) => string, refuse: Refuse, fields: FormData) => Promise<unknown>

/**
 * The state of a form that is sent as a whole, once at a time. What is wrong with a field is shown beside it, and the
 * first such field gets the focus.
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

  return { ref, errors, pending, run, refuse, submit: () => run(send) }
}

const Pending = createContext(false)

/** A form of the administration, with its fields and a `Submit`. */
export function Form({ of: state, ...form }: ComponentProps<'form'> & { of: ReturnType<typeof useForm> }) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    state.submit()
  }

  return (
    <FieldErrors value={state.errors}>
      <Pending value={state.pending}>
        {/* Before the script has loaded a form sends nothing: what was typed, e.g. a password, would be in the address. */}
        <form {...form} ref={state.ref} onSubmit={submit} noValidate method="dialog" />
      </Pending>
    </FieldErrors>
  )
}

/** The button that sends the form around it. */
export function Submit({ pendingText, children, ...button }: ComponentProps<typeof Button> & { pendingText?: string }) {
  const pending = useContext(Pending)
  return (
    <Button {...button} type="submit" aria-disabled={pending || undefined}>
      {(pending && pendingText) || children}
    </Button>
  )
}

/** In a dialog, why the form was not saved, if no field is to blame. */
export function FormFailed() {
  return <FieldError role="alert">{useContext(FieldErrors).form}</FieldError>
}
