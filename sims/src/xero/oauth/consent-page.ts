/** The page on which a person signs in and selects companies. Works without scripts. */
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
  return page(
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
  return page(
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

function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><p class="mark">Simulated Xero</p><h1>${title}</h1>${body}</main></body></html>`
}

const style = `
*{box-sizing:border-box}
body{margin:0;padding:1rem;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f1f4f7,#12171d);color:light-dark(#16212e,#e8edf2)}
main{max-width:32rem;margin:2rem auto;padding:1.5rem;background:light-dark(#fff,#1b222b);border:1px solid light-dark(#d3dbe3,#3a4654);border-radius:.75rem}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 .75rem}
.mark{margin:0 0 .5rem;font-weight:600;color:light-dark(#0b5c85,#7cc7ee)}
fieldset{border:0;padding:0;margin:1.25rem 0}
legend{padding:0;font-weight:600;margin-bottom:.5rem}
label{display:flex;gap:.75rem;align-items:flex-start;padding:.6rem .75rem;border:1px solid light-dark(#d3dbe3,#3a4654);border-radius:.5rem;margin-bottom:.5rem;cursor:pointer}
label:has(:checked){border-color:light-dark(#0b5c85,#7cc7ee);background:light-dark(#eef7fc,#1d3342)}
input{width:1.1rem;height:1.1rem;margin:.2rem 0 0;flex:none;accent-color:light-dark(#0b5c85,#7cc7ee)}
small{display:block;color:light-dark(#4a5a6b,#aab7c4);overflow-wrap:anywhere}
details{margin:1.25rem 0}summary{cursor:pointer}li{overflow-wrap:anywhere}
.row{display:flex;flex-wrap:wrap;gap:.75rem}
button{flex:1 1 8rem;min-height:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;border-radius:.5rem;cursor:pointer;border:1px solid light-dark(#8593a1,#6b7a8a);background:transparent;color:inherit}
button.main{border-color:transparent;background:light-dark(#0b5c85,#7cc7ee);color:light-dark(#fff,#0c1a24)}
:focus-visible{outline:3px solid light-dark(#0b5c85,#7cc7ee);outline-offset:2px}`

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
