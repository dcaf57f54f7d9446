/** Messages within a screen, with what to do about them. */
import { Button } from '@fluentui/react-button'
import { MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-message-bar'
import { Spinner } from '@fluentui/react-spinner'
import { CallError, messageOf } from '@tributary/client/call-error'
import type { ReactNode } from 'react'
import { signIn } from '../api/sign-in.ts'
import { useScreenMutation } from '../api/use-screen-mutation.ts'

interface MessageProps {
  intent: 'info' | 'success' | 'warning' | 'error'
  title?: string
  children?: ReactNode
  actions?: ReactNode
}

export function Message({ intent, title, children, actions }: MessageProps) {
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
  error: Error | null
  onRetry: () => void
  retryLabel?: string
}

/** If the session has ended, the user signs in again and the action is retried. */
export function Failure({ error, onRetry, retryLabel = 'Try again' }: FailureProps) {
  const signInAgain = useScreenMutation(async () => {
    if ((await signIn()) === 'signed in') onRetry()
  })
  if (error === null) return null
  const hasSessionEnded = error instanceof CallError && error.isSignedOut
  return (
    <Message
      intent="error"
      actions={
        hasSessionEnded ? (
          <Button disabled={signInAgain.isPending} onClick={() => signInAgain.mutate()}>
            Sign in again
          </Button>
        ) : (
          <Button onClick={() => onRetry()}>{retryLabel}</Button>
        )
      }
    >
      {messageOf(signInAgain.error ?? error)}
    </Message>
  )
}

export function Waiting({ children }: { children: string }) {
  return (
    <output>
      <Spinner size="tiny" labelPosition="after" label={children} />
    </output>
  )
}
