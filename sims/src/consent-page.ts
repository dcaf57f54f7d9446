/** The page of a simulated source on which a person allows access. Works without scripts. */

export interface ConsentPage {
  /** What the source is called. */
  readonly source: string
  readonly heading: string
  readonly explanation: string
  readonly question: string
  readonly choices: readonly { readonly value: string; readonly title: string; readonly detail: string }[]
  /** The label of the button that allows access. */
  readonly allow: string
  /** The address of the page, which the form is sent to. */
  readonly address: URL
}

/** The form has `choice`, and `decision`, which is `allow` or `cancel`. */
export function consentPage({ source, heading, explanation, question, choices, allow, address }: ConsentPage): string {
  const radios = choices.map(
    ({ value, title, detail }, index) =>
      `<label><input type="radio" name="choice" value="${value}"${index === 0 ? ' checked' : ''}><span>${title}<small>${detail}</small></span></label>`,
  )
  return consentDocument({
    source,
    title: `Connect to the simulated ${source}`,
    heading,
    body: `<p>${explanation} Nothing here is real: no password is asked for.</p>
<form method="post" action="${escaped(address.pathname + address.search)}">
<fieldset><legend>${question}</legend>${radios.join('')}</fieldset>
<div class="row"><button class="main" name="decision" value="allow">${allow}</button><button name="decision" value="cancel">Cancel</button></div>
</form>`,
  })
}

interface ConsentDocument {
  readonly source: string
  readonly title: string
  readonly heading: string
  /** HTML. */
  readonly body: string
}

/** A page in the style of consent pages. `title` and `heading` are HTML, too. */
export function consentDocument({ source, title, heading, body }: ConsentDocument): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><p class="mark">Simulated ${source}</p><h1>${heading}</h1>
${body}
</main></body></html>`
}

/** What the person has chosen; null if access is denied. */
export function readConsentForm(body: string): string | null {
  const form = new URLSearchParams(body)
  return form.get('decision') === 'allow' ? form.get('choice') : null
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

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
