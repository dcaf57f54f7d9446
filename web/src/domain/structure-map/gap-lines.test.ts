import type { StructureGap, StructureMap } from '@tributary/contract/structure-map'
import { expect, test } from 'vitest'
import { listGapLines } from './gap-lines.ts'

const hotel = { Id: '00000000-0000-4000-8000-000000000901', Name: 'Hotel' }
const gap = (Kind: StructureGap['Kind']): StructureGap => ({ Kind, Count: 1, Records: [hotel] })
const counts = { Links: 0, Milestones: 0, HelperTables: 0, Tables: 0, Entities: 0, People: 1 }

test('[UX-EXCEL-10] a gap that waits for records says which to add, once, and what they are', () => {
  const gaps = [gap('areasWithoutSubareas'), gap('areasWithoutGroup'), gap('versionsWithoutGroup')]
  const map: StructureMap = { ...counts, Areas: 1, Subareas: 0, Versions: 1, Groups: 0, Gaps: gaps }
  const kinds = gaps.map(({ Kind }) => Kind)
  expect(listGapLines(map, kinds).map(({ text, to }) => [text, to])).toEqual([
    ['Add subareas', '/excel/subareas'],
    ['Create a security group', '/excel/security/security-groups'],
  ])
  expect(listGapLines(map, kinds)[0]?.note).toContain('such as a cost centre')
  expect(listGapLines({ ...map, Subareas: 1, Groups: 1 }, kinds).map(({ text }) => text)).toEqual([
    'Hotel has no subareas',
    'Hotel is in no group',
    'Hotel is in no group',
  ])
})
