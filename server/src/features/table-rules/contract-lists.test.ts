import { maskMethods, rowOperators } from '@tributary/contract/table-rules'
import { type MaskMethod, operatorsOf } from '@tributary/engine/ports/table-rules'
import { expect, test } from 'vitest'

test('[SRC-11] the contract offers exactly the operators that the engine decides', () => {
  const decided = new Set<string>(Object.values(operatorsOf).flat())
  expect([...decided].toSorted()).toEqual([...rowOperators].toSorted())
})

test('[SRC-11] the contract offers exactly the masks that the engine applies', () => {
  // The type fails if the engine has another method.
  const applied = { hash: true, clear: true, keepEnd: true } satisfies Record<MaskMethod['kind'], true>
  expect(Object.keys(applied).toSorted()).toEqual([...maskMethods].toSorted())
})
