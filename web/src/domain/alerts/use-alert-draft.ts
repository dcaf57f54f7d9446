/** An alert choice in the making: nothing may be ticked yet. */
import type { AlertChoice, AlertChoiceInput, AlertFrequency, AlertKind } from '@tributary/contract/alert-channels'
import { useState } from 'react'
import { currentTimeZone } from '../../ui/formats.ts'

export interface AlertDraft {
  readonly kinds: readonly AlertKind[] | null
  readonly connectors: readonly string[] | null
  readonly frequency: AlertFrequency
  readonly hour: number
}

export const defaultDraft: AlertDraft = { kinds: null, connectors: null, frequency: 'immediately', hour: 8 }

export function toDraft({ Kinds, Connectors, Frequency, Hour }: AlertChoice): AlertDraft {
  return { kinds: Kinds, connectors: Connectors, frequency: Frequency, hour: Hour }
}

export function toChoiceInput({ kinds, connectors, frequency, hour }: AlertDraft): AlertChoiceInput {
  return {
    kinds: kinds === null ? null : [...kinds],
    connectors: connectors === null ? null : [...connectors],
    frequency,
    hour,
    timeZone: currentTimeZone(),
  }
}

/** A draft, or null where the form allows no choice. `missing` is an error message, until the draft changes. */
export function useAlertDraft<Draft extends AlertDraft | null>(initial: Draft) {
  const [draft, setDraft] = useState<Draft>(initial)
  const [isDirty, setDirty] = useState(false)
  const [missing, setMissing] = useState<string | null>(null)
  return {
    draft,
    isDirty,
    missing,
    change(next: Draft) {
      setDraft(next)
      setDirty(true)
      setMissing(null)
    },
    /** Shows what is missing and returns false, or returns true. */
    validate() {
      const found = draft === null ? null : findMissing(draft)
      setMissing(found)
      return found === null
    },
  }
}

/** Nothing is missing of alerts that are switched off: their choice is hidden. */
function findMissing({ kinds, connectors, frequency }: AlertDraft): string | null {
  if (frequency === 'never') return null
  if (kinds?.length === 0) return 'Tick at least one kind of alert.'
  return connectors?.length === 0 ? 'Tick at least one connector.' : null
}
