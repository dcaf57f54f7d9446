/** Drafts a description for the engine `odata` from a `$metadata` document. Columns and types come from it at every run. */
import { type EdmEntitySet, parseMetadata } from '../../described/odata/metadata/edmx.ts'
import type { DraftSet, ODataDraft } from './draft-model.ts'
import { DraftRefused } from './draft-refused.ts'
import { isWebAddress, titleOf } from './sample-address.ts'

const changedProperty =
  /^(?:last_?modified|modified|updated|changed|system_?modified)_?(?:at|on|date|time|date_?time)*$/iu

export function draftFromMetadata(xml: string, address: string | undefined): ODataDraft {
  const sets = setsOf(xml)
  const withoutKey = sets.filter(({ key }) => key.length === 0).map(({ name }) => name)
  return {
    ...placeOf(address),
    settings: { user: { label: 'User' }, password: { label: 'Password', kind: 'secret' } },
    signIn: {
      value: { kind: 'basic', user: 'user', password: 'password' },
      check: 'the metadata do not say how to sign in',
    },
    literals: isOldVersion(xml) ? 'v3' : 'v4',
    sets: sets.map(setOf),
    notes: [
      `${sets.length} entity sets. Columns, types and keys come from the metadata at every run.`,
      ...(withoutKey.length > 0
        ? [`These sets declare no key: ${withoutKey.join(', ')}. Name the properties that identify a row.`]
        : []),
    ],
  }
}

function placeOf(address: string | undefined): Pick<ODataDraft, 'title' | 'base'> {
  const check = 'the name of the source'
  if (address === undefined || address === '')
    return {
      title: { value: 'New source', check },
      base: { value: 'https://api.example.com/odata/', check: 'the address of the service, without $metadata' },
    }
  const url = URL.parse(address)
  if (url === null || !isWebAddress(url))
    throw new DraftRefused(`${address} is not an address that begins with https://.`)
  const base = `${url.origin}${url.pathname}`.replace(/\$metadata$/u, '')
  return { title: { value: titleOf(url.hostname), check }, base: { value: base.endsWith('/') ? base : `${base}/` } }
}

function isOldVersion(xml: string): boolean {
  return /<edmx:Edmx[^>]*Version="[12]\.0"|DataServiceVersion="[1-3]\.0"/u.test(xml) && !/Version="4/u.test(xml)
}

function setsOf(xml: string): readonly EdmEntitySet[] {
  try {
    return parseMetadata({ title: 'The document', code: 'workbench' }, xml)
  } catch {
    throw new DraftRefused('The document describes no entity set. Use the $metadata of an OData service.')
  }
}

function setOf({ name, key, properties }: EdmEntitySet): DraftSet {
  const changedAt = properties.find(
    (property) => /^Edm\.DateTime(?:Offset)?$/u.test(property.type) && changedProperty.test(property.name),
  )
  const guessed = properties.find((property) => /^(?:id|key|no|number|code)$/iu.test(property.name))
  return {
    name,
    ...(key.length === 0 &&
      guessed !== undefined && { key: { value: [guessed.name], check: 'the metadata declare no key' } }),
    ...(changedAt !== undefined &&
      (key.length > 0 || guessed !== undefined) && {
        changes: {
          value: { kind: 'cursor', property: changedAt.name },
          check: `that every change of a row alters ${changedAt.name}, and that $filter accepts it`,
        },
      }),
  }
}
