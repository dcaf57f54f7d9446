/** What went wrong or well, in place, with what to do about it. */
import { Button } from '@fluentui/react-button'
import { MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-message-bar'
import { Spinner } from '@fluentui/react-spinner'
import type { ReactNode } from 'react'
import { isSessionOver, messageOf } from '../api/call-error.ts'
import { signIn } from '../api/sign-in.ts'
import { useAct } from './use-request.ts'

interface NoteProps {
  intent: 'info' | 'success' | 'warning' | 'error'
  title?: string
  children?: ReactNode
  actions?: ReactNode
}

export function Note({ intent, title, children, actions }: NoteProps) {
  return (
    <MessageBar intent={intent} layout="multiline">
      <MessageBarBody>
        {title === undefined ? null : <MessageBarTitle>{title}</MessageBarTitle>} {children}
      </MessageBarBody>
      {actions === undefined ? null : <MessageBarActions>{actions}</MessageBarActions>}
    </MessageBar>
  )
}

interface FailureProps {
  error: unknown
  onRetry: () => void
  retryLabel?: string
}

/** Whose session has ended signs in again, and then the same is tried once more. */
export function Failure({ error, onRetry, retryLabel = 'Try again' }: FailureProps) {
  const signing = useAct()
  if (error === undefined) return null
  const signInAgain = () =>
    signing.run(async () => {
      if ((await signIn()) === 'signed in') onRetry()
    })
  return (
    <Note
      intent="error"
      actions={
        isSessionOver(error) ? (
          <Button disabled={signing.isBusy} onClick={signInAgain}>
            Sign in again
          </Button>
        ) : (
          <Button onClick={onRetry}>{retryLabel}</Button>
        )
      }
    >
      {messageOf(signing.error ?? error)}
    </Note>
  )
}

export function Waiting({ children }: { children: string }) {
  return (
    <output>
      <Spinner size="tiny" labelPosition="after" label={children} />
    </output>
  )
}
