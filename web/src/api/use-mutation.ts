/** The library's `useMutation`, which a second click cannot start twice: it may come before the button is drawn as busy. */
import {
  // oxlint-disable-next-line no-restricted-imports -- this is the one place that may
  useMutation as useLibrarysMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** What was asked for goes on alone until it is settled; the same for something else is not held back. */
export function useMutation<Data = unknown, Cause = Error, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Cause, Variables, Context>,
): UseMutationResult<Data, Cause, Variables, Context> {
  const mutation = useLibrarysMutation(options)
  const underWay = useRef(new Set<string>())
  const { mutateAsync } = mutation
  const mutate: typeof mutation.mutate = useCallback(
    (...given) => {
      const asked = JSON.stringify(given[0]) ?? ''
      if (underWay.current.has(asked)) return
      underWay.current.add(asked)
      const settle = () => underWay.current.delete(asked)
      // What it throws is in `mutation.error`.
      mutateAsync(...given).then(settle, settle)
    },
    [mutateAsync],
  )
  return { ...mutation, mutate }
}
