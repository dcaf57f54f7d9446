import { expect, test } from 'vitest'
import { powerBiFilter } from './power-bi-filter.tsx'

test('[ENG-4] the filter matches rows whose entity, area, subarea and milestone the user has, and quotes the table as DAX does', () => {
  expect(powerBiFilter(`B2S"Ana's"`)).toBe(
    [
      'CONTAINS(',
      `  'tributary_row_right',`,
      `  'tributary_row_right'[Email], USERPRINCIPALNAME(),`,
      `  'tributary_row_right'[TableName], "B2S""Ana's""",`,
      `  'tributary_row_right'[Entity], 'B2S"Ana''s"'[Entity],`,
      `  'tributary_row_right'[Area], 'B2S"Ana''s"'[Area],`,
      `  'tributary_row_right'[Subarea], 'B2S"Ana''s"'[Subarea],`,
      `  'tributary_row_right'[Milestone], 'B2S"Ana''s"'[Milestone]`,
      ')',
    ].join('\n'),
  )
})
