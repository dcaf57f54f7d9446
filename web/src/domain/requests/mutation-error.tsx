import { messageOf } from '@tributary/client/call-error'
import { ErrorBanner, type ErrorBannerProps } from '../../ui/feedback/error-banner.tsx'

export interface FailableMutation {
  readonly error: Error | null
  readonly reset: () => void
}

interface MutationErrorProps extends Pick<ErrorBannerProps, 'action' | 'hasMarkup'> {
  /** One mutation, or several of which the first with an error counts. */
  of: FailableMutation | readonly FailableMutation[]
}

/** Error banner of the latest attempt of a mutation. */
export function MutationError({ of, ...banner }: MutationErrorProps) {
  const failed = [of].flat().filter(({ error }) => error !== null)
  const [first] = failed
  return (
    <ErrorBanner
      {...banner}
      message={first === undefined ? null : messageOf(first.error)}
      onDismiss={() => failed.forEach(({ reset }) => reset())}
    />
  )
}
