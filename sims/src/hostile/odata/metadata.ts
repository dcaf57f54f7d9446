/** The metadata of the hostile OData service. */

export function metadataXml(hasCompanies: boolean): string {
  const company =
    '<EntityType Name="Company"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>'
  return `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Hostile" Alias="H" xmlns="http://docs.oasis-open.org/odata/ns/edm">
${hasCompanies ? company : ''}
<TypeDefinition Name="Amount" UnderlyingType="Edm.Decimal"/>
<EntityType Name="Document" OpenType="true"><Key><PropertyRef Name="Id"/></Key>
<Property Name="Id" Type="Edm.Int64" Nullable="false"/>
<Property Name="Name" Type="Edm.String"/>
<Property Name="Amount" Type="H.Amount" Scale="variable"/>
<Property Name="Modified" Type="Edm.DateTimeOffset" Precision="3" Nullable="false"/>
<Property Name="IsDeleted" Type="Edm.Boolean"/>
<Property Name="Lines" Type="Collection(H.Line)"/>
<Property Name="Picture" Type="Edm.Stream"/>
<NavigationProperty Name="Parts" Type="Collection(H.Part)"/>
<NavigationProperty Name="Kind" Type="H.Kind"/>
</EntityType>
<EntityType Name="Part"><Key><PropertyRef Name="Number"/></Key><Property Name="Number" Type="Edm.Int32" Nullable="false"/><Property Name="Sku" Type="Edm.String" MaxLength="40"/></EntityType>
<EntityType Name="Kind"><Key><PropertyRef Name="Code"/></Key><Property Name="Code" Type="Edm.String" MaxLength="10" Nullable="false"/></EntityType>
<ComplexType Name="Line"><Property Name="Sku" Type="Edm.String" MaxLength="40"/><Property Name="Quantity" Type="Edm.Decimal"/></ComplexType>
<EntityContainer Name="Container">
${hasCompanies ? '<EntitySet Name="Companies" EntityType="H.Company"/>' : ''}
<EntitySet Name="Kinds" EntityType="H.Kind"/>
<EntitySet Name="Documents" EntityType="H.Document"/>
</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`
}
