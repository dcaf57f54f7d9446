import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'

const addressTaken = 'This email address is already in use'

/** Checks whether an address is available, on blur and before the form is sent. */
export function useAddressAvailability() {
  const client = useQueryClient()
  const [takenAddress, setTakenAddress] = useState<string | null>(null)

  async function isAvailable(typed: string): Promise<boolean> {
    const emailAddress = typed.trim()
    if (validateEmailAddress(emailAddress) !== null) return true
    // The call is rate limited, so a failed one counts as available.
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
  return { isAvailable: isAvailable, errorOf: (typed: string) => (typed.trim() === takenAddress ? addressTaken : null) }
}
