/** Submits the consent page over HTTP, as a browser would. */
import type { XeroPerson } from './grants.ts'

export interface ConsentChoice {
  /** Index of the person; default 0. */
  readonly person?: number
  /** Default: all companies. */
  readonly tenantIds?: readonly string[]
  readonly deny?: boolean
}

interface ConsentDirectory {
  readonly people: readonly XeroPerson[]
  readonly companies: readonly { readonly tenantId: string }[]
}

/** Throws if the page rejects the request. */
export async function submitConsent(
  address: string,
  { person = 0, tenantIds, deny = false }: ConsentChoice,
  { people, companies }: ConsentDirectory,
): Promise<string> {
  const shown = await fetch(address, { redirect: 'manual' })
  const sentBack = shown.headers.get('location')
  if (sentBack !== null) return sentBack
  if (shown.status !== 200) throw new Error(`The page of consent answered ${shown.status}: ${await shown.text()}`)
  await shown.body?.cancel()
  const form = new URLSearchParams(new URL(address).searchParams)
  form.set('person', people[person]?.id ?? '')
  for (const tenantId of tenantIds ?? companies.map((company) => company.tenantId)) form.append('tenant', tenantId)
  form.set('decision', deny ? 'cancel' : 'allow')
  const answer = await fetch(new URL(new URL(address).pathname, address), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  const back = answer.headers.get('location')
  if (back === null) throw new Error(`The page of consent answered ${answer.status}: ${await answer.text()}`)
  return back
}
