import { Action, Close, Description, Provider, Root, Title, Viewport } from 'radix-ui/toast'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { check, cross, warning } from './icons.ts'

/** One notification at a time. Loaded lazily: Radix's toast is larger than the rest of this folder. */
export function Toast({
  toast,
  durationMs,
  onOpenChange,
}: {
  toast:
    | {
        id: string
        title?: string
        description?: string
        action?: { label: string; altText: string; onPress: () => void }
        variant: 'default' | 'destructive'
        open: boolean
      }
    | undefined
  durationMs: number
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Provider label={t('Notification')} swipeDirection="right" swipeThreshold={50} duration={durationMs}>
      {toast && (
        <Root key={toast.id} className={`toast toast--${toast.variant}`} open={toast.open} onOpenChange={onOpenChange}>
          <Icon shape={toast.variant === 'destructive' ? warning : check} className="toast__icon" />
          <div className="toast__text">
            {toast.title && <Title className="toast__title">{toast.title}</Title>}
            {toast.description && <Description className="toast__description">{toast.description}</Description>}
          </div>
          {toast.action && (
            <Action
              className={`${buttonClass('secondary')} toast__action`}
              altText={toast.action.altText}
              onClick={toast.action.onPress}
            >
              {toast.action.label}
            </Action>
          )}
          <Close className="toast__close" aria-label={t('Close')}>
            <Icon shape={cross} />
          </Close>
        </Root>
      )}
      <Viewport className="toasts" hotkey={['F8']} label={t('Notifications ({hotkey})', { hotkey: '{hotkey}' })} />
    </Provider>
  )
}
