/** Goes through the page of consent over HTTP, as a browser would. */
import type { Person } from './grants.ts'

export interface Choice {
  /** Which person; the first where nothing is said. */
  readonly person?: number
  /** All companies where nothing is said. */
  readonly tenantIds?: readonly string[]
  readonly deny?: boolean
}

interface Known {
  readonly people: readonly Person[]
  readonly companies: readonly { readonly tenantId: string }[]
}

/** Throws where the page refuses to go on. */
export async function consent(
  address: string,
  { person = 0, tenantIds, deny = false }: Choice,
  { people, companies }: Known,
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
