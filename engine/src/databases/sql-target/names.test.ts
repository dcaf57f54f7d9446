import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitName, fitNames, type NameMax } from './names.ts'

const limits: readonly NameMax[] = [
  { count: 63, unit: 'bytes' },
  { count: 64, unit: 'characters' },
  { count: 128, unit: 'characters' },
]
const length = (name: string, max: NameMax): number => (max.unit === 'bytes' ? Buffer.byteLength(name) : name.length)

test.each(limits)('any name fits in $count $unit, and one that fitted is not touched', (max) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const fit = fitName(name, max)
      expect(length(fit, max)).toBeLessThanOrEqual(max.count)
      expect(fit).not.toBe('')
      expect(fit.isWellFormed()).toBe(true)
      if (name !== '' && name.isWellFormed() && !name.includes('\0') && length(name, max) <= max.count)
        expect(fit).toBe(name)
      expect(fitName(name, max)).toBe(fit)
    }),
  )
})

test('every name of a table gets one of its own, whatever its capitals, and new names at the end change no other', () => {
  const alike = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '🦀'), maxLength: 90 })
  fc.assert(
    fc.property(fc.uniqueArray(alike, { maxLength: 30 }), fc.nat(), (names, cut) => {
      const max = { count: 20, unit: 'bytes' } as const
      const fitted = fitNames(names, max)
      const taken = [...fitted.values()].map((name) => name.toLowerCase())
      expect(new Set(taken).size).toBe(names.length)
      const fewer = names.slice(0, cut % (names.length + 1))
      expect([...fitNames(fewer, max)]).toEqual([...fitted].slice(0, fewer.length))
    }),
  )
})

test('a name that is cut keeps its beginning and bears a mark of the whole', () => {
  expect(fitName('x'.repeat(100), { count: 63, unit: 'bytes' })).toMatch(/^x{56}_[0-9a-f]{6}$/)
  expect(fitName(`${'x'.repeat(99)}a`, { count: 63, unit: 'bytes' })).not.toBe(
    fitName(`${'x'.repeat(99)}b`, { count: 63, unit: 'bytes' }),
  )
})
