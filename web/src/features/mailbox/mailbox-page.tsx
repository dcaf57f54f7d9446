/** In a trial no email is sent: the page shows what would have been sent. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Mail } from '@tributary/contract/mailbox'
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useIdentity } from '../../api/session/session.ts'
import { paths } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { ToastRegion } from '../../ui/feedback/toasts.tsx'
import { BrandLogo } from '../../ui/layout/brand-logo.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { useDocumentTitle } from '../../ui/layout/document-title.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import css from './mailbox.module.css'
import { parseMail, splitAtUrls } from './parse-mail.ts'
import { callQuery } from '../../api/call-query.ts'

const mailboxPollMs = 3_000

export function MailboxPage() {
  const mails = useQuery({
    ...callQuery(['mailbox'], 'GET /mailbox'),
    refetchInterval: mailboxPollMs,
  })
  const params = useUrlParams()
  const open = mails.data?.find(({ Id }) => Id === params.get('mail'))
  useDocumentTitle([open?.Subject ?? '', 'Mailbox'])

  return (
    <div className={css.page} data-reading={open !== undefined || undefined}>
      <MailboxHeader />
      <main className={css.main}>
        <QueryResult query={mails} loading={null}>
          {(received) => <MailboxContent mails={received} open={open} />}
        </QueryResult>
      </main>
      <ToastRegion />
    </div>
  )
}

function MailboxContent({ mails, open }: { mails: readonly Mail[]; open: Mail | undefined }) {
  if (mails.length === 0) {
    return (
      <EmptyState kind="first" title="No mail yet.">
        Sign up, invite a user or reset a password: the email appears here instead of being sent.
      </EmptyState>
    )
  }
  return (
    <>
      <MailList mails={mails} openId={open?.Id ?? null} />
      <section className={css.reading} aria-label="Mail">
        {open === undefined ? <p className={css.hint}>Choose a mail to read it.</p> : <MailView mail={open} />}
      </section>
    </>
  )
}

function MailboxHeader() {
  const identity = useIdentity()
  return (
    <header className={css.head}>
      <BrandLogo size={28} />
      <div className={css.titles}>
        <h1>Mailbox</h1>
        <p className="small subtle">Every mail of this trial. None has left this computer.</p>
      </div>
      <Link to={identity === null ? paths.signIn : paths.home}>{identity === null ? 'Sign in' : 'Home'}</Link>
    </header>
  )
}

function MailList({ mails, openId }: { mails: readonly Mail[]; openId: string | null }) {
  return (
    <ul className={css.list} aria-label="Mails">
      {mails.map((mail) => (
        <li key={mail.Id}>
          <Link className={css.item} to={`?mail=${mail.Id}`} aria-current={mail.Id === openId ? 'true' : undefined}>
            <span className={css.subject}>{mail.Subject}</span>
            <span className={css.time}>
              <RelativeTime at={mail.CreatedAtUtc} />
            </span>
            <span className={css.to}>{mail.To}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function MailView({ mail }: { mail: Mail }) {
  return (
    <article className={css.mail} aria-labelledby="subject">
      <Link className={css.back} to={paths.mailbox}>
        <IconArrowLeft />
        All mails
      </Link>
      <h2 id="subject">{mail.Subject}</h2>
      <p className="small subtle">
        To {mail.To}, <RelativeTime at={mail.CreatedAtUtc} />
      </p>
      {parseMail(mail.Text).map((part, index) => {
        // Two paragraphs may be equal, so the key contains the index; the order never changes.
        const key = `${index} ${part.text}`
        if (part.kind === 'code') return <MailCode key={key} code={part.text} />
        if (part.kind === 'action') return <MailAction key={key} label={part.text} address={part.address} />
        return <MailParagraph key={key} text={part.text} />
      })}
    </article>
  )
}

function MailCode({ code }: { code: string }) {
  return (
    <p className={css.code}>
      <span>{code}</span>
      <CopyButton text={code} what="code" />
    </p>
  )
}

function MailAction({ label, address }: { label: string; address: string }) {
  return (
    <p>
      <Button
        component="a"
        href={address}
        target="_blank"
        rel="noreferrer"
        rightSection={<IconExternalLink stroke={1.75} />}
      >
        {label}
      </Button>
    </p>
  )
}

function MailParagraph({ text }: { text: string }) {
  return (
    <p className={css.paragraph}>
      {splitAtUrls(text, window.location.origin).map((piece) =>
        piece.isAddress ? (
          <a key={piece.text} href={piece.text} target="_blank" rel="noreferrer">
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </p>
  )
}
