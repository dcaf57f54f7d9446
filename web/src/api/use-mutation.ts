/**
 * The library's `useMutation`, which a second click cannot start twice: it can arrive before the button is disabled.
 */
import {
  // oxlint-disable-next-line no-restricted-imports -- This wrapper is the one module that may import it.
  useMutation as useLibraryMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query'
import { InFlight } from '@tributary/client/in-flight'
import { useCallback, useState } from 'react'

/** Ignores `mutate` while a mutation with equal variables is in progress. Different variables run at the same time. */
export function useMutation<Data = unknown, Cause = Error, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Cause, Variables, Context>,
): UseMutationResult<Data, Cause, Variables, Context> {
  const mutation = useLibraryMutation(options)
  const [inFlight] = useState(() => new InFlight())
  const { mutateAsync } = mutation
  const mutate: typeof mutation.mutate = useCallback(
    (...args) => inFlight.run(args[0], () => mutateAsync(...args)),
    [inFlight, mutateAsync],
  )
  return { ...mutation, mutate }
}
