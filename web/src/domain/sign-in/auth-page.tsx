import { Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isTrial } from '../../api/trial-mode.ts'
import { paths } from '../../paths.ts'
import { BrandLogo } from '../../ui/layout/brand-logo.tsx'
import { useDocumentTitle } from '../../ui/layout/document-title.ts'
import css from './auth-page.module.css'

/** The layout of every page before sign-in. */
export function AuthPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle([title])
  return (
    <div className={css.page}>
      <main className="auth-panel">
        <div className="auth-brand">
          <BrandLogo size={32} />
          <span>Tributary</span>
        </div>
        <h1 className="auth-title">{title}</h1>
        {children}
        {isTrial() ? <TrialMail /> : null}
      </main>
      <aside className={css.promise} aria-label="What Tributary does">
        <div className={css.promiseText}>
          <p className={css.lead}>Your systems, one SQL database, every report.</p>
          <ul className={css.points}>
            <li>Accounting, inventory, ERP and databases, brought together on a schedule.</li>
            <li>No row twice, no row missed: an interrupted run continues where it stopped.</li>
            <li>Money to the last digit. What cannot be placed is listed, with the reason.</li>
          </ul>
        </div>
        <Streams />
      </aside>
    </div>
  )
}

function TrialMail() {
  return (
    <p className={`${css.trial} small subtle`}>
      In this trial no mail leaves the computer.{' '}
      <a href={paths.mailbox} target="_blank" rel="noreferrer">
        Read it in the mailbox
      </a>
    </p>
  )
}

function Streams() {
  return (
    <svg className={css.streams} viewBox="0 0 600 400" preserveAspectRatio="none" aria-hidden="true">
      {[0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => (
        <path
          key={index}
          d={`M${20 + index * 70} -10 C ${20 + index * 70} 170, ${270 + index * 7} 150, ${270 + index * 7} 410`}
        />
      ))}
    </svg>
  )
}

interface AuthFormProps {
  onSubmit: () => void
  submitLabel: string
  isBusy: boolean
  children: ReactNode
}

/** Our fields validate the form, not the browser. */
export function AuthForm({ onSubmit, submitLabel, isBusy, children }: AuthFormProps) {
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        {submitLabel}
      </Button>
    </form>
  )
}

/** Shown while the page waits for the server. */
export function AuthWaiting({ children }: { children: ReactNode }) {
  return (
    <output className={css.waiting}>
      <Loader size={18} aria-hidden />
      {children}
    </output>
  )
}

/** Other ways to continue, below the content. */
export function AuthFooter({ children }: { children: ReactNode }) {
  return <p className={css.after}>{children}</p>
}

/** The footer with the link to the sign-in page, after other ways to continue. */
export function BackToSignIn({ children }: { children?: ReactNode }) {
  return (
    <AuthFooter>
      {children}
      <Link to={paths.signIn}>Back to sign in</Link>
    </AuthFooter>
  )
}

interface TextButtonProps {
  onClick: () => void
  disabled?: boolean
  children: ReactNode
}

/** A button that looks like a link. */
export function TextButton(props: TextButtonProps) {
  return <button type="button" className={css.textButton} {...props} />
}
