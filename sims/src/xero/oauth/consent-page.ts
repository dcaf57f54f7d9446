/** The page on which a person signs in and selects companies. Works without scripts. */
import { consentDocument, escaped } from '../../consent-page.ts'
import type { XeroPerson } from './grants.ts'

interface ConsentPageContent {
  readonly appName: string
  readonly people: readonly XeroPerson[]
  readonly companies: readonly { readonly tenantId: string; readonly name: string; readonly country: string }[]
  readonly scopes: readonly string[]
  /** The authorise request's parameters, submitted with the form. */
  readonly query: ReadonlyMap<string, string>
  /** Why the page is shown again. */
  readonly problem?: string | null
}

export function consentPage({ appName, people, companies, scopes, query, problem = null }: ConsentPageContent): string {
  const chosen = companies.length === 1 ? companies.map(({ tenantId }) => tenantId) : []
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const persons = people.map(({ id, email, firstName, lastName }, index) =>
    choice({
      type: 'radio',
      name: 'person',
      value: id,
      isChosen: index === 0,
      title: `${firstName} ${lastName}`,
      note: email,
    }),
  )
  const tenants = companies.map(({ tenantId, name, country }) =>
    choice({
      type: 'checkbox',
      name: 'tenant',
      value: tenantId,
      isChosen: chosen.includes(tenantId),
      title: name,
      note: country,
    }),
  )
  return xeroPage(
    'Sign in to the simulated Xero',
    `<p><strong>${escaped(appName)}</strong> wants to read the books of companies that you choose. Nothing here is real: no password is asked for.</p>
${problem === null ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post">
${hidden.join('\n')}
<fieldset><legend>Who are you?</legend>${persons.join('')}</fieldset>
<fieldset><legend>Which companies may it open?</legend>${tenants.join('')}</fieldset>
<details><summary>What it may read</summary><ul>${scopes.map((scope) => `<li>${escaped(scope)}</li>`).join('')}</ul></details>
<div class="row"><button class="main" name="decision" value="allow">Allow access</button><button name="decision" value="cancel">Cancel</button></div>
</form>`,
  )
}

export function refusalPage(message: string): string {
  return xeroPage(
    'The request is invalid',
    `<p role="alert">${escaped(message)}</p><p>Go back to the app that sent you here and start again.</p>`,
  )
}

interface ChoiceInput {
  readonly type: 'radio' | 'checkbox'
  readonly name: string
  readonly value: string
  readonly isChosen: boolean
  readonly title: string
  readonly note: string
}

function choice({ type, name, value, isChosen, title, note }: ChoiceInput): string {
  const input = `<input type="${type}" name="${name}" value="${escaped(value)}"${isChosen ? ' checked' : ''}>`
  return `<label>${input}<span>${escaped(title)}<small>${escaped(note)}</small></span></label>`
}

const xeroPage = (title: string, body: string): string =>
  consentDocument({ source: 'Xero', title, heading: title, body })
