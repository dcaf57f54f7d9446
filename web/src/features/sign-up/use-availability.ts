import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { emailRule } from '../../ui/forms/email-rule.ts'

const taken = 'This email address is already in use'

/** Whether an address is free, asked when the field is left and once more before the form is sent. */
export function useAvailability() {
  const client = useQueryClient()
  const [takenAddress, setTakenAddress] = useState<string | null>(null)

  async function isFree(typed: string): Promise<boolean> {
    const emailAddress = typed.trim()
    if (emailRule(emailAddress) !== null) return true
    // Few questions are allowed; one that is not answered keeps nobody from going on.
    const { data } = await client
      .fetchQuery({
        queryKey: ['address-is-free', emailAddress],
        queryFn: () => call('GET /registration/verify', { query: { emailAddress } }),
        staleTime: 60_000,
        retry: false,
      })
      .catch(() => ({ data: true }))
    if (!data) setTakenAddress(emailAddress)
    return data
  }
  return { isFree, errorOf: (typed: string) => (typed.trim() === takenAddress ? taken : null) }
}
