/** Descriptions of the chart of accounts, contacts, products and stock levels of Cin7 Core. */
import type { TableTexts } from '../../http/dictionary.ts'

const addressesOf = (noun: string): TableTexts => ({
  about: `Addresses of ${noun}.`,
  columns: { type: 'Kind of the address: Billing, Business or Shipping.' },
})
const contactsOf = (noun: string): TableTexts => ({ about: `Contact persons of ${noun}.` })

export const masterTables: Readonly<Record<string, TableTexts>> = {
  account: {
    about: 'The chart of accounts. Other tables refer to its codes.',
    columns: {
      code: 'Code of the account; the key.',
      type: 'Kind of the account, such as BANK, CURRENT, FIXED, SALES, EXPENSE or DIRECTCOSTS.',
      class: 'Side of the books: ASSET, LIABILITY, EQUITY, REVENUE or EXPENSE.',
      status: 'ACTIVE or ARCHIVED.',
      display_name: 'Code and name in one text, such as 200: Sales.',
      system_account: 'Set where Cin7 Core itself posts, such as DEBTORS or CREDITORS; else empty.',
      for_payments: 'True if payments can be made into or out of the account.',
      old_code: 'Code before the last change of it; empty if it never changed.',
      bank_account_number: 'Number of the bank account; only for bank accounts.',
      bank_account_id: 'Id of the bank account at the bank feed; only for bank accounts.',
    },
  },
  tax_rule: {
    about: 'Tax rules, each with its total percentage. Documents name them.',
    columns: {
      account: 'Code of the account that the tax is posted to.',
      is_tax_for_sale: 'True if sales can use the rule.',
      is_tax_for_purchase: 'True if purchases can use the rule.',
    },
  },
  tax_component: {
    about: 'Parts of a tax rule, such as a federal and a provincial tax.',
    columns: {
      component_id: 'Id of the component at Cin7 Core.',
      percent: 'Percentage of the component: 5 is five per cent.',
      compound: 'True if it is charged on the amount including the components before it.',
      component_order: 'Order in which the components are charged.',
    },
  },
  payment_term: {
    about: 'Payment terms, from which due dates follow.',
    columns: {
      duration: 'Number of days, or the day of the month, as the method says.',
      method: 'How the due date follows: number of days, day of next month, last day of next month and so on.',
      is_default: 'True for the term that new contacts get.',
    },
  },
  own_address: {
    about: 'Addresses of the company itself.',
    columns: {
      type: 'Kind of the address: Billing, Business or Shipping.',
      city_suburb: 'City or suburb of the address.',
      state_province: 'State or province of the address.',
      zip_post_code: 'Postal code, kept as text because of leading zeros.',
    },
  },
  own_contact: {
    about: 'People of the company; sales representatives are among them.',
    columns: { type: 'Role of the person, such as Sales Representative.' },
  },
  customer: {
    about: 'Customers, including those that are no longer in use.',
    columns: {
      display_name: 'Name that is printed, where it differs from the name.',
      is_legal_entity: 'True for a company, false for a person; empty if nobody has said.',
      customer_parent_id: 'Customer that this one belongs to, such as the head office; else empty.',
      customer_parent_name: 'Name of that customer.',
      is_bill_parent: 'True if invoices go to the parent.',
      status: 'Active or Deprecated.',
      account_receivable: 'Code of the account for what the customer owes.',
      discount: 'Discount of all sales to the customer, in per cent.',
      credit_limit: 'Most that the customer may owe, in its currency; 0 means no limit.',
      is_on_credit_hold: 'True if no new sales to the customer are authorised.',
      location: 'Name of the location that sales to the customer suggest.',
    },
    references: { customer_parent_id: 'customer.id', account_receivable: 'account.code' },
  },
  customer_address: addressesOf('a customer'),
  customer_contact: {
    ...contactsOf('a customer'),
    columns: { marketing_consent: 'Whether the person agreed to marketing: 0 not asked, 1 yes, 2 no.' },
  },
  customer_price: {
    about: 'Prices that were agreed with a customer.',
    columns: { price: 'Price of one unit for the customer, in its currency.' },
  },
  supplier: {
    about: 'Suppliers, including those that are no longer in use.',
    columns: {
      status: 'Active or Deprecated.',
      account_payable: 'Code of the account for what the company owes the supplier.',
      discount: 'Discount of all purchases from the supplier, in per cent.',
    },
    references: { account_payable: 'account.code' },
  },
  supplier_address: addressesOf('a supplier'),
  supplier_contact: contactsOf('a supplier'),
  category: { about: 'Categories of products.' },
  brand: { about: 'Brands of products.' },
  unit: { about: 'Units of measure.' },
  price_tier: {
    about: 'Names of the ten price tiers.',
    columns: { code: 'Number of the tier, 1 to 10. The columns price_tier1 to price_tier10 of products follow it.' },
  },
  attribute_set: {
    about: 'What the ten additional attributes of products, customers and suppliers mean.',
    columns: {
      'attribute#_name': 'Name of additional attribute {n}; empty if the set does not use it.',
      'attribute#_type': 'Kind of additional attribute {n}: text, list or check box.',
      'attribute#_values': 'Values to choose from for additional attribute {n}, separated by commas.',
    },
  },
  attribute_set_attribute: {
    about: 'Attributes of a set as rows, in the order of their numbers.',
    columns: {
      name: 'Name of the attribute.',
      type: 'Kind of the attribute: text, list or check box.',
      values: 'Values to choose from, separated by commas.',
    },
  },
  product: {
    about: 'Products and services, including those that are no longer in use.',
    columns: {
      type: 'Stock for goods that are counted; Service or Fixed Asset for others.',
      status: 'Active or Deprecated.',
      length: 'Length in the unit of dimensions; 0 if it was not entered.',
      width: 'Width in the unit of dimensions; 0 if it was not entered.',
      height: 'Height in the unit of dimensions; 0 if it was not entered.',
      weight: 'Weight of one unit in the unit of weights; 0 if it was not entered.',
      average_cost: 'Average cost of the units on hand, in base currency.',
      internal_note: 'Note that customers do not see.',
      sellable: 'True if the product can be sold on its own.',
      bill_of_material: 'True if the product is made of components; see product_bom_line.',
      auto_assembly: 'True if a sale assembles the product when too few are on hand.',
      auto_disassembly: 'True if the product is taken apart when its components are needed.',
      assembly_cost_estimation_method: 'How the cost of an assembly is estimated before it is made.',
      quantity_to_produce: 'Units that one bill of materials makes.',
      carton_length: 'Length of a carton in the unit of dimensions.',
      carton_width: 'Width of a carton in the unit of dimensions.',
      carton_height: 'Height of a carton in the unit of dimensions.',
      carton_quantity: 'Units in a carton.',
      carton_inner_quantity: 'Units in an inner box of a carton.',
    },
  },
  product_supplier: {
    about: 'Suppliers of a product, with their codes and costs.',
    columns: {
      supplier_inventory_code: 'Code that the supplier uses for the product.',
      supplier_product_name: 'Name that the supplier uses for the product.',
      cost: 'Last cost of one unit, in the currency of the supplier.',
      fixed_cost: 'Agreed cost of one unit, in the currency of the supplier; it replaces the last cost.',
      drop_ship: 'True if the supplier delivers directly to customers.',
      last_supplied: 'Day of the last delivery; empty if there was none.',
      product_supplier_id: 'Id of the row at Cin7 Core.',
      supplier_product_url: 'Page of the product at the supplier.',
    },
  },
  product_reorder_level: {
    about: 'Reorder levels of a product by location. They replace those of the product itself.',
  },
  product_bom_line: {
    about: 'Components of a product that is assembled: its bill of materials.',
    columns: {
      component_product_id: 'Product that is used as a component.',
      product_code: 'Code (SKU) of the component.',
      quantity: 'Units of the component for one bill of materials.',
      cost_percentage: 'Share of the cost that a disassembly assigns to the component, in per cent.',
    },
  },
  product_bom_service: {
    about: 'Services in the bill of materials of a product, such as labour.',
    columns: {
      component_product_id: 'Service that is used.',
      price_tier: 'Number of the price tier that the cost of the service comes from.',
    },
    references: { price_tier: 'price_tier.code' },
  },
  product_custom_price: {
    about: 'Prices of a product that were agreed with single customers.',
    columns: { price: 'Price of one unit for the customer, in its currency.' },
  },
  product_family: {
    about: 'Families of products that differ in options, such as size and colour.',
    columns: {
      'option#_name': 'Name of option {n}, such as Size; empty if the family does not use it.',
      'option#_values': 'Values of option {n}, separated by commas.',
    },
  },
  product_family_product: {
    about: 'Products of a family with their options.',
    columns: { 'option#': 'Value of option {n} of the product, such as XL.' },
  },
  location: {
    about: 'Locations: warehouses, shops and other places of stock.',
    columns: {
      is_default: 'True for the location that new documents get.',
      deprecated: 'True if the location is no longer in use.',
      parent_id: 'Location that this one is a part of; else empty.',
      parent_name: 'Name of that location.',
      allow_reorder: 'True if reorder levels apply to the location.',
      reference_count: 'How many documents use the location.',
      'address_line#': 'Line {n} of the address.',
      address_city_suburb: 'City or suburb of the address.',
      address_state_province: 'State or province of the address.',
      address_zip_post_code: 'Postal code, kept as text because of leading zeros.',
      address_country: 'Country by its English name.',
      fixed_assets_location: 'True if the location holds fixed assets instead of stock.',
      is_co_man: 'True if a contract manufacturer works there.',
      is_shopfloor: 'True if it is a shop floor, where production takes place.',
      is_staging: 'True if goods are only gathered there for shipping.',
    },
    references: { parent_id: 'location.id' },
  },
  location_bin: {
    about: 'Bins of a location.',
    columns: {
      is_staging: 'True if goods are only gathered there for shipping.',
      is_deprecated: 'True if the bin is no longer in use.',
    },
  },
  product_availability: {
    about: 'Stock now: one row for each product, location, bin and batch.',
    columns: {
      batch: 'Batch or serial number; an empty text for products without.',
      bin: 'Name of the bin; an empty text if the location has none.',
      on_hand: 'Units that are in the location now.',
      allocated: 'Units on hand that are promised to orders.',
      available: 'Units that can still be sold: on hand less allocated.',
      on_order: 'Units that are ordered from suppliers and have not arrived.',
      stock_on_hand: 'Value of the units on hand at cost, in base currency.',
      in_transit: 'Units that are moving between locations.',
    },
  },
}
