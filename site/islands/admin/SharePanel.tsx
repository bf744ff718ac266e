import { useRef } from 'react'
import { isPrivate } from '#db/values/url.ts'
import { type AdminPage, POSTER } from '#site/lib/admin-page.ts'
import { copyLink } from '#site/stores/clipboard.ts'
import { t } from '#site/texts/texts.ts'
import { Button, buttonClass } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { copy, download, Icon } from '#site/ui/Icon.tsx'
import { Panel } from '#site/ui/Panel.tsx'

export function SharePanel({ admin: { shareLink: link, sections } }: { admin: AdminPage }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Panel
        title={t('Share RSVP Form')}
        description={t('This link leads to a read-only view that hides administrative features.')}
      >
        <div className="column share-link">
          <Field
            label={t('Shareable link')}
            ref={input}
            readOnly
            value={link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button onClick={() => copyLink(link, input.current)}>
            <Icon shape={copy} />
            {t('Copy Link')}
          </Button>
        </div>
        <AddressWarning link={link} isOwner={sections.includes('address')} />
      </Panel>
      <Panel
        title={t('QR code')}
        description={t("It leads to the same page: for a bulletin, a slide or the church's door.")}
      >
        <div className="flow share-code">
          <img
            className="share-code__image"
            src="/qr.svg"
            alt={t('QR code with the link {link}', { link })}
            width="200"
            height="200"
          />
          <div className="flow share-code__actions">
            <a className={buttonClass('secondary')} href={POSTER}>
              {t('Print the poster')}
            </a>
            <a className={buttonClass('secondary')} href="/qr.svg" download="rsvp-qr-code.svg">
              <Icon shape={download} />
              {t('Download SVG')}
            </a>
          </div>
        </div>
      </Panel>
    </>
  )
}

/** Before a link is shared or printed that people elsewhere cannot open. */
export function AddressWarning({ link, isOwner }: { link: string; isOwner: boolean }) {
  return (
    isPrivate(new URL(link).hostname) && (
      <p className="notice notice--warning">
        {t('People elsewhere cannot open this link.')}{' '}
        {isOwner ? (
          <a href="/admin?tab=settings#address">{t('Set the public address')}</a>
        ) : (
          t('An owner can change that in the settings.')
        )}
      </p>
    )
  )
}
