import { Button } from '@mantine/core'
import { IconDroplet, IconLock, IconPlugConnectedX, IconSearchOff } from '@tabler/icons-react/visitor-icons'
import type { ReactNode } from 'react'
import css from './empty-state.module.css'

const icons = { first: IconDroplet, noMatch: IconSearchOff, notAllowed: IconLock, failed: IconPlugConnectedX }

interface EmptyStateProps {
  /** First use, no match, no permission, or failed to load: a failure must not look like an empty list. */
  kind: keyof typeof icons
  title: string
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ kind, title, children, action }: EmptyStateProps) {
  const Icon = icons[kind]
  return (
    <div className={css.empty} role={kind === 'failed' ? 'alert' : undefined}>
      <span className={css.mark} data-kind={kind}>
        <Icon size={24} stroke={1.75} />
      </span>
      <p className={css.title}>{title}</p>
      {children === undefined ? null : <div className={css.body}>{children}</div>}
      {action}
    </div>
  )
}

/** Says that content failed to load and offers a retry. */
export function LoadFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <EmptyState
      kind="failed"
      title="This could not be loaded."
      action={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {message}
    </EmptyState>
  )
}
