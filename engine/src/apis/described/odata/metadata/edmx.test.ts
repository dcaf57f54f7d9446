import { expect, test } from 'vitest'
import { parseMetadata } from './edmx.ts'

const api = { title: 'Somewhere', code: 'somewhere' }

const document = (schema: string): string => `<?xml version="1.0"?>
<!-- <EntitySet Name="Hidden" EntityType="N.Hidden"/> -->
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices>${schema}</edmx:DataServices></edmx:Edmx>`

test('base types, aliases, several schemas, both kinds of quotes and entities are parsed', () => {
  const sets = parseMetadata(
    api,
    document(`
      <Schema Namespace='Some.Model' Alias='M' xmlns='http://schemas.microsoft.com/ado/2009/11/edm'>
        <EntityType Name='Base'><Key><PropertyRef Name='Id'/></Key><Property Name='Id' Type='Edm.Int64' Nullable='false'/></EntityType>
        <EntityType Name="Thing" BaseType="M.Base">
          <Property Name="Kind" Type="M.Colour"/><Property Name="A&amp;B" Type="Edm.Decimal" Precision="19" Scale="4"/>
 <Property Name="Code" Type="M.Code"/>
          <Property Name="Parts" Type="Collection(Some.Model.Part)"><Annotation Term="x" String="1 &gt; 0"/></Property>
          <NavigationProperty Name="Other" Type="M.Base"/>
        </EntityType>
        <ComplexType Name="Part"><Property Name="Size" Type="Edm.Double"/></ComplexType>
        <TypeDefinition Name="Code" UnderlyingType="Edm.String"/>
        <EnumType Name="Colour"><Member Name="Red"/></EnumType>
      </Schema>
      <Schema Namespace="Default"><EntityContainer Name="C"><EntitySet Name="Things" EntityType="M.Thing"/></EntityContainer></Schema>`),
  )
  expect(sets).toMatchObject([
    {
      name: 'Things',
      key: ['Id'],
      properties: [
        { name: 'Id', type: 'Edm.Int64' },
        { name: 'Kind', type: 'enum' },
        { name: 'A&B', type: 'Edm.Decimal', precision: 19, scale: 4 },
        { name: 'Code', type: 'Edm.String' },
        { name: 'Parts', type: 'nested', isList: true, parts: [{ name: 'Size', type: 'Edm.Double' }] },
      ],
    },
  ])
})

test.each(['', document('a document without entity sets is a passing fault: %#'), 'Not found'])(
  'a document without entity sets is a passing fault: %#',
  (text) => {
    expect(() => parseMetadata(api, text)).toThrow(expect.objectContaining({ kind: 'passing' }))
  },
)
