/** Renders the content of an email as plain text, and as HTML that old mail clients can display. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

/** @param publicUrl names the sender in the footer. Only addresses below it become links. */
export function renderEmail(content: EmailContent, publicUrl: string) {
  return {
    subject: toSingleLine(content.subject),
    text: renderText(content, publicUrl),
    html: renderHtml(content, publicUrl),
  }
}

/** Prevents header injection: a line break in the subject would begin another header. */
function toSingleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function renderText({ paragraphs, code, action, footnote }: EmailContent, publicUrl: string): string {
  const parts = [
    ...paragraphs.map((paragraph) => removeForeignLinks(paragraph, publicUrl)),
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...(footnote === undefined ? [] : [footnote]),
    `-- \nTributary · ${publicUrl}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/**
 * Uses tables and inline styles, because several clients drop style sheets. Has no images, because clients block them.
 */
function renderHtml({ subject, paragraphs, code, action, footnote }: EmailContent, publicUrl: string): string {
  const rows = [
    ...paragraphs.map((paragraph) => row(`<p style="margin:0">${linkOwnAddresses(paragraph, publicUrl)}</p>`)),
    ...(code === undefined ? [] : [row(codeBox(code))]),
    ...(action === undefined ? [] : [row(button(action))]),
    ...(footnote === undefined ? [] : [row(`<p style="${small}">${linkOwnAddresses(footnote, publicUrl)}</p>`)]),
  ]
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<title>${escapeHtml(toSingleLine(subject))}</title>
</head>
<body style="margin:0;padding:0;background:#f0f4f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f0f4f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;${font}">
<tr><td style="padding:0 4px 16px;font-size:18px;font-weight:700;color:#006d89">Tributary</td></tr>
<tr><td bgcolor="#ffffff" style="padding:28px 28px 12px;background:#ffffff;border:1px solid #e1e7ec;border-radius:12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${rows.join('\n')}
</table>
</td></tr>
<tr><td style="padding:16px 4px 0"><p style="${small}">Sent by Tributary at ${linkOwnAddresses(publicUrl, publicUrl)}</p></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const font = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:23px;color:#132028"
const small = 'margin:0;font-size:13px;line-height:20px;color:#5f6b74'

function row(content: string): string {
  return `<tr><td style="padding:0 0 16px;${font}">${content}</td></tr>`
}

/** Spaces the digits by style and not by blanks, so that the bare code is copied. */
function codeBox(code: string): string {
  const style =
    "font-family:Consolas,Menlo,'Courier New',monospace;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px"
  return `<div style="padding:14px 0;background:#f0f4f7;border-radius:8px;text-align:center;color:#132028;${style}">${escapeHtml(code)}</div>`
}

function button({ label, url }: { readonly label: string; readonly url: string }): string {
  const link = `display:inline-block;padding:12px 24px;${font};font-weight:600;color:#ffffff;text-decoration:none`
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td bgcolor="#006d89" style="background:#006d89;border-radius:8px"><a href="${escapeHtml(url)}" style="${link}">${escapeHtml(label)}</a></td>
</tr></table>
<p style="${small};padding-top:12px">If the button does not work, open this address:<br>${ownLink(url)}</p>`
}

/** Links only addresses of the portal: text that a user typed, such as a name, must not become a foreign link. */
function linkOwnAddresses(text: string, publicUrl: string): string {
  return splitAtAddresses(text, publicUrl)
    .map(({ part, isOwn }) => (isOwn ? ownLink(part) : escapeHtml(part)))
    .join('')
}

function ownLink(url: string): string {
  return `<a href="${escapeHtml(url)}" style="color:#006d89;word-break:break-all">${escapeHtml(url)}</a>`
}

/** The equivalent of `linkOwnAddresses` for plain text. */
function removeForeignLinks(text: string, publicUrl: string): string {
  return splitAtAddresses(text, publicUrl)
    .map(({ part }) => part)
    .join('')
}

/** Splits the text at addresses, and keeps mail clients from linking those that are not of the portal. */
function splitAtAddresses(text: string, publicUrl: string) {
  return text.split(/(https?:\/\/\S+)/u).map((part) => {
    const isOwn = part === publicUrl || part.startsWith(`${publicUrl}/`)
    return { isOwn, part: isOwn ? part : withoutDomains(part) }
  })
}

/**
 * Mail clients link bare domains, such as an organisation's name. An invisible word joiner after the dot prevents that.
 */
function withoutDomains(text: string): string {
  return text.replaceAll(/(?<=[\p{L}\p{N}][.\u3002\uFF0E\uFF61])(?=\p{L}{2})/gu, '\u2060')
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`)
}
