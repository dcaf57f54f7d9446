/** A sentence of the server that may hold plain inline markup. The only place of the portal that turns text into elements. */
import type { Config } from 'dompurify'
import { useEffect, useRef } from 'react'

const allowed = {
  ALLOWED_TAGS: ['b', 'strong', 'i', 'em', 'br', 'ul', 'ol', 'li', 'code', 'a'],
  ALLOWED_ATTR: ['href'],
  // Links lead within the portal: one slash, and not the two (or the slash and backslash) that begin another host.
  ALLOWED_URI_REGEXP: /^\/(?![/\\])/,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
} satisfies Config

export function SafeMessage({ text }: { text: string }) {
  if (!/[<&]/.test(text)) return text
  return <Markup key={text} text={text} />
}

function Markup({ text }: { text: string }) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let isGone = false
    async function fill() {
      const fragment = await sanitise(text)
      if (!isGone) place.current?.replaceChildren(fragment)
    }
    void fill()
    return () => void (isGone = true)
  }, [text])
  return <span ref={place} />
}

/** The library comes only with the first message that has markup. */
async function sanitise(text: string): Promise<DocumentFragment | string> {
  const { default: purify } = await import('dompurify')
  // In a browser that it cannot work in, it would let everything through.
  if (!purify.isSupported) return text
  policy ??= trustedTypes()?.createPolicy('tributary-html', { createHTML: (html) => html, createScriptURL: () => '' })
  return purify.sanitize(text, {
    ...allowed,
    RETURN_DOM_FRAGMENT: true,
    ...(policy === undefined ? {} : { TRUSTED_TYPES_POLICY: policy }),
  })
}

type Policy = NonNullable<Config['TRUSTED_TYPES_POLICY']>
type Rule = (text: string) => string
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: Rule; createScriptURL: Rule }): Policy
}

/** For the library's own parser, which takes the text apart in a document that runs nothing. */
let policy: Policy | undefined

function trustedTypes(): TrustedTypes | undefined {
  return (window as { trustedTypes?: TrustedTypes }).trustedTypes
}
