import { testDictionary } from '@tributary/testing/conformance/source/dictionary-suite.ts'
import { cin7Streams } from '../streams.ts'
import { cin7Dictionary } from './dictionary.ts'

testDictionary(
  cin7Dictionary,
  cin7Streams.map(({ shape }) => shape),
)
