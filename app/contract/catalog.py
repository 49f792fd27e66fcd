"""Catalog records: categories, companies, product families, products."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, WithJsonSchema, model_serializer

from .model import Part, Reply, Request
from .page import ListQuery
from .values import Flag, Id, Name, Number, ReplyInstant, Text, open_words

CategorySort = Literal["name"]
CompanySort = Literal["name"]
CompanyPartSort = Literal["name", "sortOrder"]
SortOrder = Literal["asc", "desc"]


class CategoryQuery(ListQuery, total=False):
    """Which categories are listed: the top level, or the children of one."""

    parent_category_id: Id | None
    sort_by: Annotated[CategorySort | None, Field(default="name")]
    sort_order: Annotated[SortOrder | None, Field(default="asc")]


class CompanyQuery(ListQuery, total=False):
    """Which companies are listed. `category_id` finds the companies of its children too."""

    name: Annotated[str | None, Field(max_length=500, description="Part of the name, in any case.")]
    domain: Annotated[str | None, Field(max_length=253, description="The whole domain.")]
    category_id: Id | None
    ids: Sequence[str] | None
    sort_by: Annotated[CompanySort | None, Field(default="name")]
    sort_order: Annotated[SortOrder | None, Field(default="asc")]


class ProductFamilyQuery(ListQuery, total=False):
    """Which product families of a company are listed."""

    ids: Sequence[str] | None
    sort_by: Annotated[CompanyPartSort | None, Field(default="sortOrder")]
    sort_order: Annotated[SortOrder | None, Field(default="asc")]


class ProductQuery(ListQuery, total=False):
    """Which products of a company are listed. `name` is an addition of ours."""

    name: Annotated[str | None, Field(max_length=500, description="Part of the name, in any case.")]
    ids: Sequence[str] | None
    product_family_id: Id | None
    sort_by: Annotated[CompanyPartSort | None, Field(default="sortOrder")]
    sort_order: Annotated[SortOrder | None, Field(default="asc")]


class CategorySummary(Reply):
    """A category inside another record."""

    id: Id
    name: str
    description: str
    last_updated_at: ReplyInstant


class Category(CategorySummary):
    """A category of the tree; a top-level one names its children."""

    child_categories: list[CategorySummary] | None = Field(
        default=None, description="The categories directly below this one."
    )


class CompanyCategory(CategorySummary):
    """The category of a company."""

    parent_category_id: Id | None = Field(default=None, description="The category above it, by its id.")


class StockSymbol(Reply):
    """A symbol under which a company is listed at a stock exchange."""

    symbol: str = Field(description="The symbol of the share.")
    exchange: str = Field(description="The stock exchange.")


class PriceRange(Reply):
    """What the products usually cost, from `min` to `max` in `currency`."""

    min: Number = Field(description="The lowest price.")
    max: Number = Field(description="The highest price.")
    currency: str


class ProductFamilySummary(Reply):
    """A family inside a company."""

    id: Id
    name: str
    default_price_range: PriceRange | None = None
    last_updated_at: ReplyInstant


class ProductSummary(Reply):
    """A product inside a company or a family."""

    id: Id
    product_family_id: Id | None = None
    name: str
    description: str | None = None
    icon: str | None = None
    url: str | None = None
    default_price: Number | None = None
    currency: str | None = None
    is_custom_estimate_available: bool | None = Field(
        default=None,
        description="Whether an estimate succeeds for the product with its default dimensions, in the "
        "currency of scopes made by hand. It is checked in the background when purchases arrive.",
    )
    last_updated_at: ReplyInstant


class LearningDataSample(Reply):
    """A past purchase without its buyer. `term_months` is 0 where the price is for no term;
    `negotiated_price` is the total before tax for the whole term."""

    id: str
    start_date: str
    term_months: Number
    negotiated_price: Number
    product_names: list[str]
    primary_dimension_name: str
    primary_dimension_value: Number
    number_of_other_dimensions: int


class CompanyCompetitor(Reply):
    """Another company that sells similar products."""

    id: Id
    name: str
    domain: str
    icon: str | None = None


class Feature(Reply):
    """Something that a product includes at no extra price."""

    id: Id
    name: str
    description: str | None = None


class CheckboxField(Reply):
    """A box to tick."""

    type: Literal["checkbox"]
    label: str
    readonly: bool
    required: bool
    default_value: bool | None = None
    value: bool | Number | str | None = Field(
        default=None, description="What it stands for when it is ticked."
    )


class NumberField(Reply):
    """A number to enter, in the unit that `label` names."""

    type: Literal["number"]
    label: str
    readonly: bool
    required: bool
    default_value: Number | None = None
    min: Number | None = Field(default=None, description="The smallest value.")
    max: Number | None = Field(default=None, description="The largest value.")
    step: Number | None = Field(default=None, description="The step between two values.")


class SelectOption(Reply):
    """`value` is a number as text, stable over imports."""

    label: str
    value: str = Field(description="The value to send: a number as text, stable over imports.")


class SelectField(Reply):
    """A choice between `options`."""

    type: Literal["select"]
    label: str
    readonly: bool
    required: bool
    default_value: str | None = None
    options: list[SelectOption]


FormField = Annotated[CheckboxField | NumberField | SelectField, Field(discriminator="type")]


class DimensionDependency(Reply):
    """The dimension on which this one depends, or empty. With `inclusion` this one applies only when the
    other one does. With `quantity` a number is at most the other one's, and a checkbox that is ticked (1)
    takes the other one's quantity."""

    depends_on_dimension_id: Id | None = Field(
        default=None, description="The dimension that it depends on, by its id."
    )
    dependency: Annotated[str, open_words("quantity", "inclusion")] | None = Field(
        default=None, description="How it depends: `inclusion` or `quantity`."
    )


class PricingDimension(Reply):
    """One thing that a price of a product depends on. `description` is always there and may be null."""

    id: Id
    name: str
    description: Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
    price_impact_known: bool = Field(description="Whether past purchases show its effect on the price.")
    form_field: FormField = Field(description="How the value is entered.")
    depends_on: DimensionDependency = Field(
        description="The dimension that this one depends on; empty where it depends on none."
    )

    @model_serializer(mode="wrap")
    def _keep_null_description(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        record: dict[str, Any] = handler(self)
        record.setdefault("description", None)
        return record


class ProductCompetitor(Reply):
    """A similar product of another company."""

    company_id: Id
    company_name: str
    domain: str
    company_icon: str | None = Field(default=None, description="The address of the company's icon.")
    product_id: Id
    default_price: Number | None = Field(
        default=None, description="In the product's currency; absent where it is known in another only."
    )
    product_icon: str | None = Field(default=None, description="The address of the product's icon.")
    product_url: str | None = Field(default=None, description="The address of the product's page.")
    product_name: str
    pricing_dimensions: list[PricingDimension]
    included_features: list[Feature]


class ProductCompany(Reply):
    """The supplier of a product."""

    id: Id
    name: str
    legal_name: str
    domain: str


class CompanyInList(Reply):
    """A company as a list shows it."""

    id: Id
    name: str
    legal_name: str
    domain: str
    description: str
    discontinued: bool
    last_updated_at: ReplyInstant
    url: str | None = None
    icon: str | None = None
    fiscal_year_end: str | None = Field(default=None, description="--MM-DD")
    stock_symbols: list[StockSymbol] | None = None
    category: CompanyCategory | None = None
    real_purchase_count: int | None = Field(
        default=None, description="Purchases on record in the past two years; some deployments leave it out."
    )
    competitors: list[CompanyCompetitor] | None = None


class Company(Reply):
    """A supplier with its product families and products."""

    id: Id
    name: str
    legal_name: str
    domain: str
    description: str
    discontinued: bool
    product_families: list[ProductFamilySummary] = Field(
        description="The families that the company's products belong to."
    )
    products: list[ProductSummary] = Field(description="The company's products.")
    learning_data_samples: list[LearningDataSample] = Field(
        description="The latest purchases without their buyers, in the currency of the company's prices."
    )
    last_updated_at: ReplyInstant
    competitors: list[CompanyCompetitor]
    url: str | None = None
    icon: str | None = None
    fiscal_year_end: str | None = Field(default=None, description="--MM-DD")
    stock_symbols: list[StockSymbol] | None = None
    category: CompanyCategory | None = None
    default_price_range: PriceRange | None = None
    real_purchase_count: int | None = None


class ProductFamily(Reply):
    """Products of one supplier that belong together."""

    id: Id
    name: str
    last_updated_at: ReplyInstant
    default_price_range: PriceRange | None = None
    products: list[ProductSummary] | None = None


class ProductInList(Reply):
    """A product as a list shows it: without its company and its default price."""

    id: Id
    name: str
    description: str
    pricing_dimensions: list[PricingDimension]
    included_features: list[Feature]
    is_custom_estimate_available: bool | None = Field(
        default=None,
        description="Whether an estimate succeeds for the product with its default dimensions, in the "
        "currency of scopes made by hand; some deployments leave it out.",
    )
    last_updated_at: ReplyInstant
    competitors: list[ProductCompetitor]
    product_family_id: Id | None = None
    icon: str | None = None
    url: str | None = None
    currency: str | None = None


class Product(ProductInList):
    """A product with its company and its default price."""

    company: ProductCompany = Field(description="The company that sells the product.")
    default_price: Number | None = None

    @property
    def counted(self) -> PricingDimension | None:
        """The dimension that a quantity of the product is of: the first required number, else the first."""
        numbers = [one for one in self.pricing_dimensions if isinstance(one.form_field, NumberField)]
        return next((one for one in numbers if one.form_field.required), numbers[0] if numbers else None)


# Extensions: beyond the interface, see `/v1/openapi`.


class EntrySupplier(Part):
    """The supplier of a new product: a company on record, or the name of a new one."""

    company_id: Id | None = Field(default=None, description="A company on record, by its id.")
    name: Annotated[Name, Field(max_length=250)] | None = Field(
        default=None, description="The name of a new company."
    )
    domain: Annotated[Text, Field(max_length=253)] | None = None


class EntryDimension(Part):
    """A pricing dimension of a new product. `options` are the labels of a select."""

    name: Annotated[Name, Field(max_length=120)] = Field(description="The name of the dimension.")
    type: Literal["number", "select", "checkbox"] = Field(description="How its value is entered.")
    options: Annotated[list[Annotated[Name, Field(max_length=120)]], Field(max_length=200)] | None = Field(
        default=None, description="The labels of a select's options."
    )


class EntryProduct(Part):
    """A new product. `unit` is the name of what its quantity counts."""

    name: Annotated[Name, Field(max_length=250)] = Field(description="The product's name.")
    unit: Annotated[Name, Field(max_length=120)] | None = Field(
        default=None, description="The name of what its quantity counts, such as user."
    )
    dimensions: Annotated[list[EntryDimension], Field(max_length=20)] | None = None


class NewCatalogEntry(Request):
    """The body of `POST /v1/catalog/entries`: a product that only the caller's organisation sees. With
    `confirm_new` it is added although something similar is on record."""

    supplier: EntrySupplier
    product: EntryProduct = Field(description="The product to add.")
    confirm_new: Flag | None = Field(
        default=None, description="Whether to add the entry although something similar is on record."
    )


class CatalogEntry(Reply):
    """The ids of the new product and of its company."""

    company_id: Id
    product_id: Id
