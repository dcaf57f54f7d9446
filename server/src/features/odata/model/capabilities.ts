/** What the feed supports, for its metadata. */
import { functionNames } from '../../../access/query/expression.ts'

const base = 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies'

export const vocabularies = [
  { uri: `${base}/Org.OData.Core.V1.xml`, name: 'Org.OData.Core.V1', alias: 'Core' },
  { uri: `${base}/Org.OData.Capabilities.V1.xml`, name: 'Org.OData.Capabilities.V1', alias: 'Capabilities' },
  { uri: `${base}/Org.OData.Aggregation.V1.xml`, name: 'Org.OData.Aggregation.V1', alias: 'Aggregation' },
] as const

export const filterFunctions: readonly string[] = functionNames
export const aggregations: readonly string[] = ['filter', 'groupby', 'aggregate']
