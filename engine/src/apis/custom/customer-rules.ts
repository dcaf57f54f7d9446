/** What a description of a customer may not do: it must say everything that is called, and nothing else must be able to change it. */
import type { Report } from '../described/description/check-hosts.ts'
import { type DescriptionRules, type ParsedDescription, parseDescription } from '../described/description/parse.ts'
import { placeholdersIn } from '../described/description/placeholders.ts'
import type { SourceDescription } from '../described/description/source-description.ts'
import { signInSettings } from './sign-in-fields.ts'

/** In characters. Larger texts take seconds to check. */
const descriptionMax = 60_000

/** Decide where a request arrives, or how it is read, or are set by us. */
const headersRefused = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'forwarded',
  'cookie',
  'accept-encoding',
])

export function parseCustomerDescription(
  yaml: string,
  {
    type,
    engine,
    title,
  }: { readonly type: string; readonly engine: SourceDescription['engine']; readonly title: string },
): ParsedDescription {
  const bySettings =
    'is not for descriptions of customers: the connector has the fields user, password, key, client and secret'
  const rules: DescriptionRules = {
    lengthMax: descriptionMax,
    refused: {
      type: `is always ${type} here: remove this line`,
      settings: bySettings,
      bundles: 'is not for descriptions of customers: everything is in one bundle',
      allowance: 'is not for descriptions of customers: keep below the limit with pace',
      otherHost: 'is not for descriptions of customers: hosts names every host',
    },
    defaults: {
      format: 1,
      engine,
      title,
      needs: 'A description.',
      about: 'What the description names.',
      guide: ['Describe the source.'],
    },
    fixed: { type, settings: signInSettings, bundles: undefined, allowance: undefined, otherHost: undefined },
    check(description, report) {
      if (description.engine !== engine) report(['engine'], `must be ${engine}`)
      checkHosts(description, report)
      checkSignIn(description, report)
      checkHeaders(description, report)
    },
  }
  return parseDescription(yaml, rules)
}

function checkHosts({ base, hosts }: SourceDescription, report: Report): void {
  if (/[{}]/u.test(base)) report(['base'], 'must have nothing in braces: write the address itself')
  for (const [index, host] of hosts.entries())
    if (host.startsWith('*.')) report(['hosts', index], 'must not stand for several hosts: name each of them')
  // What is read as the host must be what is called: no user, no other notation of an address, no other characters.
  const url = URL.parse(base)
  if (url !== null && !base.startsWith(`${url.origin}/`))
    report(['base'], `is not written as its address is called: it would lead to ${url.origin}/`)
}

function checkSignIn({ signIn }: SourceDescription, report: Report): void {
  if (signIn.kind === 'oauthCode')
    report(
      ['signIn', 'kind'],
      'must not be oauthCode: people can sign in only at sources of the catalogue. Use a key, or client credentials with oauthClient',
    )
  if (signIn.kind === 'oauthClient') {
    if (placeholdersIn(signIn.token).length > 0)
      report(['signIn', 'token'], 'must have nothing in braces: write the address itself')
    const url = URL.parse(signIn.token)
    if (url !== null && !signIn.token.startsWith(`${url.origin}/`))
      report(['signIn', 'token'], `is not written as its address is called: it would lead to ${url.origin}/`)
  }
  if (signIn.kind !== 'apiKey') return
  for (const [index, { in: place, name, prefix = '' }] of signIn.keys.entries())
    if (place === 'header') checkHeader(['signIn', 'keys', index, 'name'], name, prefix, report)
}

function checkHeaders({ headers = {} }: SourceDescription, report: Report): void {
  for (const [name, value] of Object.entries(headers)) checkHeader(['headers', name], name, String(value), report)
}

function checkHeader(path: readonly (string | number)[], name: string, value: string, report: Report): void {
  if (headersRefused.has(name.toLowerCase()) || /^(?:proxy|x-forwarded|sec)-/iu.test(name))
    return report(path, `the header ${name} must not be set`)
  if (!/^[A-Za-z0-9-]+$/u.test(name) || !/^[\t\u0020-\u007e\u0080-\u00ff]*$/u.test(value))
    report(path, 'is not a header of HTTP: use letters, digits and hyphens, and a value in one line')
}
