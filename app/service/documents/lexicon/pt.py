"""Portuguese, as written in Portugal and in Brazil."""

from app.service.documents.lexicon import lexicon as words
from app.service.documents.lexicon.scope_words import EntryWords, LineRoleWords, UnitWords

PT = words.Lexicon(
    code="pt",
    common_words=(
        "o os do da dos das em na para com não uma por que são valor preço quantidade fatura orçamento"
        " proposta pagamento prazo dias meses ano descrição cliente contrato validade renovação"
    ),
    dates=words.DateWords(

        date=r"data",
        until=r"ao? | ate(?: ao?)?",
        since=("de", "desde"),
        of=r"de",
        your=r"voss[oa] | seu | sua",
        valid_until=r"valid[oa](?: ate(?: ao?)?)? | validade(?: d[ao] (?:proposta|orcamento))?"
        r"(?: ate(?: ao?)?)? | (?:proposta|orcamento|precos) (?:[a-z]+ ){1,4}ate(?: ao?)?"
        r" | (?:aceit\w+|confirma\w+|resposta|adjudica\w+) ate(?: ao?)?",
        due=r"vencimento | data de vencimento | pag(?:ar|avel|amento) ate(?: ao?)?",
        other=r"entrega(?: prevista)? | data (?:de|da) entrega | encomenda(?: de)? | data (?:da encomenda"
        r"|do pedido) | expedicao | impresso em | (?:vosso |seu )?pedido de",
        ends=r"fim(?: \w+)? | data (?:de|do) (?:fim|termo) | ate(?: ao?)? | termina em | termo",
        starts=r"inicio | data (?:de|do) inicio | a partir de | desde | com inicio em"
        r" | entra(?:ra)? em vigor(?: em| a)? | periodo | vigencia",
        document_date=r"data(?: (?:de|da|do) (?:emissao|fatura|proposta|orcamento|documento))?$"
        r" | emitid[oa](?: em| a)? | elaborad[oa] em | orcamento | proposta | fatura | em",
        order_date=r"data (?:da encomenda|do pedido)",
        weak_document_words=("em", "a"),
    ),
    durations=words.DurationWords(
        numbers={
            1: "um | uma", 2: "dois | duas", 3: "tres", 4: "quatro", 5: "cinco", 6: "seis", 7: "sete",
            8: "oito", 9: "nove", 10: "dez", 12: "doze", 14: "catorze | quatorze", 15: "quinze",
            18: "dezoito", 20: "vinte", 30: "trinta", 60: "sessenta", 90: "noventa",
        },
        month=r"mes",
        year=r"ano",
        per=r"por | ao",
        every=("cada",),
        monthly=r"mensa(?:l|is)",
        yearly=r"anua(?:l|is)",
        and_=r"e(?!-)",
    ),
    documents=words.DocumentWords(
        price_list=r"tabela de precos | lista de precos",
        order_form=r"formulario de (?:encomenda|pedido)",
        quote=r"orcamento | proposta | cotacao",
        invoice=r"fatura | factura | recibo | nota de credito | nota fiscal | nota de honorarios",
        contract=r"contrato | acordo | ata de registro de precos",
        order=r"encomenda | pedido | ordem de compra | nota de encomenda",
        titles=r"proposta comercial | fatura[- /]recibo | nota de encomenda | encomenda | ordem de compra",
        number_noun=r"numero",
        number=r"numero | num | n[. ]?[ºo°] | ref | referencia",
        abbreviated_order=r"o\.?c\.?",
        own_number=r"nossa referencia | venda n[o.º°]+",
        of_the=r"d[aoe]",
        document_noun=r"documento | referencia | nota",
        our=r"noss[oa]",
        your=r"voss[oa] | seu | sua",
        customer=r"cliente | codigo (?:de|do) cliente",
        purchase_order=r"ordem de compra | nota de encomenda",
        order_noun=r"encomenda | pedido",
        transaction=r"processo",
        of_another=r"(?:voss[oa]|seu|sua|sobre)(?: a)?",
        contact=r"cep | telefone | telemovel | contribuinte | nipc | cnpj | inscricao",
        purchase_order_title=r"(?:ordem|pedido) de compra | nota de encomenda",
        order_answer_title=r"confirmacao d[ae] (?:encomenda|pedido)",
        credit_note=r"nota de credito | f?atura ret?ificativa",
        credit_alone=r"estorno | reembolso",
        self_billing=r"autofatura\w*",
    ),
    parties=words.PartyWords(
        about=r"(?:dados|identificacao) d[aeo]",
        buyer=r"cliente | exm[oa]s?\.?(?: srs?\.?| senhor(?:es|a)?)? | adquirente | comprador | tomador"
        r" | contratante | faturar a | morada de faturacao | endereco de (?:faturacao|cobranca)"
        r" | (?:orcamento|proposta) para | preparad[oa] para",
        buyer_weak=r"para | a/c | ao cuidado de | morada de entrega | endereco de entrega | destinatario",
        supplier=r"fornecedor | vendedor | emitente | prestador | contratada",
        sold_by=("vendido por",),
        author=r"(?:proposta |orcamento )?(?:elaborad[oa]|preparad[oa]|emitid[oa]) por",
        supplier_weak=r"remetente | de",
        label_ends=r"para | a",
        name=r"(?:nome|designacao social|razao social)",
        attention=r"a/c | ao cuidado | a atencao",
        salutation=r"exm[oa]s?\.? (?:srs?\.?|senhor(?:es|a)?) | prezad[oa]s? \w+ | car[oa]s? \w+ | para",
        department=r"departamento | (?:servico de )?compras | contabilidade | financeiro | vendas"
        r" | atendimento ao cliente",
        clerk=r"comprador",
        registration=r"contribuinte | nipc | cnpj | capital social | conservatoria",
        bank_account=r"conta",
        delivery=r"entrega",
        contract_buyer=r"cliente | orgao gerenciador | contratante | adquirente | licenciado",
        contract_supplier=r"fornecedora? | detentora? | prestador | contratada | licenciante",
        articles=r"o | a",
        between=r"entre",
        and_=r"e",
    ),
    names=words.NameWords(
        legal_forms=(
        r"Unipessoal,? Lda", r"Lda", r"LDA", r"Ltda", r"LTDA", r"Limitada", r"EIRELI", r"SGPS", r"S\.A",
        ),
        links=r"e | de | do | da | dos | das",
        prepositions=r"Vendido por | Entre | Para | Por",
        labels=r"Cliente | Empresa | Nome | Fornecedor",
        titles=r"Sr | Sra | Dr | Dra | Eng",
        couple=r"Sra",
        street=r"rua | avenida | praça | travessa | estrada | alameda",
        for_=r"para",
        by=r"por",
        from_=r"por | da parte de",
        on=r"em",
    ),
    labels=words.LabelWords(
        title_words=r"orcamento | proposta | fatura | encomenda | pedido | cliente | pagina | assunto"
        r" | exm[oa]s? | prezad[oa]s? | contrato | recibo | descricao | total",
        document_titles=r"orcamento | proposta(?: comercial)? | cotacao",
        premises=r"andar | sala | loja | bloco",
        labels=r"cnpj(?: ?/ ?cpf)? | cpf | inscricao estadual | natureza da operacao | numero | data"
        r" | cliente | fornecedor | assunto | referencia | moeda | entrega | contribuinte | nif | nipc"
        r" | telefone | morada | endereco | pagina | vencimento | pagamento | emitente | destinatario"
        r" | validade(?: da proposta)? | vigencia | prazo(?: \w+){0,3} | forma de pagamento"
        r" | condicoes de \w+ | data d[aeo] \w+ | numero d[aeo] \w+"
        r" | (?:voss[oa]|noss[oa]|seu|sua) (?:ref\w*|encomenda|pedido|proposta)"
        r" | (?:morada|endereco) de (?:entrega|faturacao|cobranca)",
    ),
    columns=words.ColumnWords(
        position_alone=r"pos(?:icao)? | linha",
        description=r"descricao | designacao | discriminacao | detalhe",
        product_alone=r"produtos? | servicos? | modulo",
        goods_alone=r"artigos? | mercadorias? | licencas? | itens | item",
        product=r"produto",
        item_id=r"codigo | cod | referencia | ref",
        item_alone=r"artigos? | item | itens",
        quantity=r"quantidade | quant | qtd | qtde | qt",
        count_alone=r"encomendad[oa] | entregue | (?:dias|horas|noites|consumo)(?: ?[(/]? ?k?wh\)?)?"
        r" | (?:n[o°º]? )?(?:licencas|utilizadores|usuarios)",
        unit=r"unidade de medida",
        unit_alone=r"unidade | un | und",
        unit_price=r"(?:preco|valor|custo) unit\w* | preco liquido | preco por \w+ | p ?unit\w* | vl unit\w*"
        r" | unitario",
        price=r"precos? | tarifa | (?:ao|por) (?:mes|ano|utilizador|usuario|unidade)",
        fee=r"custo | mensalidade | anuidade",
        list_price=r"preco (?:de )?(?:tabela|lista|catalogo) | preco (?:bruto|base) | pvp",
        discount=r"desconto | desc | dto",
        amount=r"valor | total | montante | importancia | valor total | subtotal",
        cost=r"preco | custo",
        amount_for_term=r"(?:custo|preco|total|valor) (?:por|para) \d+ (?:meses|anos)",
        amount_to_date=r"(?:valor|total) acumulado",
        quantity_to_date=r"quantidade acumulada",
        months=r"mes(?:es)? | duracao | prazo",
        years=r"anos?",
        pace_alone=r"(?:diaria|por dia|por semana|semanal) | (?:(?:ao|por) )?(?:mes|ano) | mensal"
        r" | anual | mensalidade",
        beside_year=r"valor | total",
        tier_from=r"desde | a partir de | acima de | ate",
        tier_and_up=r"ou mais",
        price_for=r"para",
        tier_over=r"mais de | acima de",
        tier_up_to=r"ate",
        tier_steps=r"escaloes | escalao | faixas? | minim[oa]",
        basis=r"base de preco",
        tax=r"iva | taxa(?: de)?(?: iva)? | impostos? | icms | iss",
        date=r"data de (?:inicio|fim|entrega)",
        date_alone=r"desde | ate | entrega | periodo",
        ignored=r"faturacao | faturamento | moeda | cambio | notas | observacoes | peso",
    ),
    totals=words.TotalWords(
        paid=r"ja pago | pago | adiantamento | sinal",
        adjustment=r"descontos? | portes | transporte | frete | embalagem | despesas de envio"
        r" | retencao(?: na fonte| de garantia)?",
        tax_base=r"base (?:tributavel|de incidencia|de calculo) | incidencia",
        withheld=r"retenc(?:ao|oes) | irrf",
        tax=r"(?:total |valor )?(?:do |de )?(?:iva|i\.v\.a|impostos?|icms|ipi|iss)",
        contract_value=r"valor (?:total |global )?do contrato",
        net=r"sub ?-?total | (?:valor )?total d[oa]s (?:produtos|servicos|mercadorias)"
        r" | total (?:liquido|sem iva|sem impostos) | (?:valor )?liquido | iliquido | total iliquido",
        net_to_pay=r"liquido a pagar | total liquido a pagar | valor liquido da n(?:ota|fs-?e)",
        due=r"(?:total|valor|montante) a pagar | a pagar | saldo | valor em divida",
        gross=r"valor global(?: d[ao] \w+)?"
        r" | total(?: (?:geral|global|com iva|d[ao] (?:fatura|nota|proposta|orcamento|documento|pedido)))?"
        r" | (?:valor|montante) total",
        grand=r"com iva | geral | a pagar | da nota",
        part=r"mes | ano | pagina | quantidade",
        sum_nouns=r"valor | total | montante",
        offer_parts=r"lotes? | fases?",
        holding=r"inclu", holding_not=r"nao | sem | exclu\w*",
    ),
    lines=words.LineWords(
        included=r"incluid[oa]s? | inclus[oa]s? | gratuit[oa]s? | gratis | sem custos? | oferta",
        optional=r"opciona(?:l|is) | opc(?:ao|oes)(?! \d) | facultativ[oa]s? | nao incluid[oa]s?",
        fee=r"mensalidade | anuidade | honorarios | renda | taxa",
        in_case=r"se | em caso | por atraso",
        carried=r"a transportar | transporte (?:da )?pagina",
        discount=r"desconto | abatimento",
        times=r"a | por",
        once=r"unic[oa] | pontual",
        part_of_above=r"dos quais | do qual",
        bundle=r"pacotes? | kits? | combos?",
        cents=r"centimos? | centavos?",
    ),
    clauses=words.ClauseWords(
        percent=r"por cento",
        least_paid=r"(?:compromisso|consumo|despesa|faturacao|faturamento) (?:\w+ )?minim[oa]",
        free=r"gratis | gratuit[oa]s? | sem custos? | oferecid[oa]s?",
        first=r"primeiros?",
        last=r"ultimos?",
        renewal=r"renov | prorrog",
        renewal_noun=r"renovacao | prorrogacao",
        automatic=r"automatic\w+ | tacit\w+",
        renews=r"renovacao (?:\w+ ){0,2}(?:automatica|tacita)"
        r" | renova(?:-se|do|ra)? (?:\w+ ){0,3}(?:auto|tacit) | renova(?:r)?-se | se renov\w+"
        r" | (?:auto|tacit)\w* (?:renovad|prorrogad)\w* | prorroga(?:r)?-se | renova-se-a"
        r" | renovad[oa] (?:auto|tacit)",
        renews_not=r"nao (?:se |e |sera |ha |havera |havendo )?(?:auto\w* |tacit\w* )?(?:renov|prorrog)"
        r" | sem renovacao | nao (?:\w+ ){0,3}renovacao | renovacao (?:automatica )?excluida"
        r" | excluida a renovacao",
        without=r"sem",
        no=r"nao | nenhuma | manual",
        only=r"apenas | so | somente",
        ends=r"termina | cessa | caduca | expira",
        term=r"duracao(?: (?:inicial|minima|contratual|(?:do |da |de )?\w+))?"
        r" | vigencia(?: (?:inicial|minima|contratual|do contrato))?"
        r" | periodo (?:inicial|contratual|minimo|de fidelizacao)"
        r" | prazo (?:inicial|contratual|do contrato|de vigencia) | fidelizacao",
        term_noun=r"duracao | vigencia",
        term_after=r"de (?:duracao|contrato|vigencia|fidelizacao)"
        r" | a (?:contar|partir) d[ae] (?:data d[ae] )?(?:assinatura|ativacao|celebracao|adjudicacao)",
        term_prepositions=r"por(?= um) | pelo | (?:contrato|assinatura|subscricao|licenca) (?:de|por|anual)",
        term_fillers=r"um | uma | periodo | prazo | inicial | de | duracao",
        ends_verb=r"termina | cessa | caduca",
        after=r"apos | decorridos | ao fim de",
        after_term=r"apos | findo | no termo d[oe] | ao fim d[oe]",
        renewal_term=r"prazo da renovacao",
        other_spans=r"garanti | confidencial | sigilo | juros | anterior | responsabilidade",
        payment_forms=(
        r"\b(?P<days>\d{1,3}) dias? (?:apos|da data|data (?:da )?fatura|a contar|corridos|liquidos"
        r"|da emissao|da fatura|fim do mes)",
        r"\b(?P<days>\d{1,3}) ?ddl\b",
        r"(?:pagamento|pagavel|pagar|vencimento|faturamento)[^.%]{0,50}?(?P<days>\d{1,3}) dias",
        ),
        payable=r"pagave(?:l|is) | pagamento",
        other_deadlines=r"denuncia | rescis | validade",
        payable_at_once=r"a vista\b | pronto pagamento | pagamento imediato",
        rise=r"aument | increment | reajust | atualiza | agrava | acrescim",
        price=r"preco | tarifa | mensalidade | valor | renov",
        no_rise=r"juros | \bmora\b | multa | penalid | responsabilidade",
        within_year=r"no (?:ano)?",
        cap_before=r"nao (?:\w+ ){0,4}(?:exced|ultrapass|super)\w* | maxim | \bate\b | limit | no maximo"
        r" | nao (?:\w+ ){0,4}mais de",
        cap_after=r"no maximo | como maximo | maximo",
        floor=r"pelo menos | no minimo | o maior (?:entre|de)",
        notice=r"pre-?aviso | aviso previo | antecedencia | denuncia | rescis",
        notice_before=r"pre-?aviso(?: escrito| minimo)?(?: de)?:? | antecedencia(?: minima)?(?: de)?:?"
        r" | aviso previo(?: de)?:? | pelo menos | minimo de | \bate",
        notice_after=r"antes | de antecedencia | de pre-?aviso | de aviso previo",
        other_notice=r"prazo de pagamento",
        offer=r"orcamento | proposta | cotacao | precos",
        holds=r"(?:valid[oa]s?|validade(?: d[aoe]s? (?:proposta|orcamento|precos))?)"
        r"(?: (?:e )?(?:por|de|durante))?",
        holds_after=r"de validade",
    ),
    billing=words.BillingWords(
        upfront=r"pagamento (?:unico|antecipado|integral) | de uma so vez | em parcela unica | pre-?pago",
        quarterly=r"trimestr | cada (?:tres|3) mes",
        monthly=r"mensal | mensais",
        annual=r"anua(?:l|is) | por ano",
        label=r"faturacao | faturamento | faturad[oa]s? | cobranca | pagamentos? | mensalidade",
        strong_label=r"faturacao | faturamento",
    ),
    units=UnitWords(
        units={
            "user": "utilizador | utilizadores | usuario | licenca | posto", "member": "membro",
            "employee": "funcionario | colaborador | colaboradores", "host": "servidor | servidores",
            "device": "dispositivo", "account": "conta", "pack": "pacote", "day": "dia | jornada",
            "hour": "hora", "month": "mes | meses", "year": "ano", "project": "projeto", "site": "local",
        },
        counts=r"unidade | peca | quantidade | numero",
        fillers=r"por | ao | de",
    ),
    line_roles=LineRoleWords(
        shipping=r"(?:custos?|despesas?|taxas?) de (?:envio|entrega|transporte) | frete"
        r" | portes(?: de envio)? | envio | entrega | transporte",
        shipping_after=r"e | embalagem | entrega",
        service=r"formacao | treinamento | instalacao | configuracao | implementacao | implantacao"
        r" | consultoria | migracao | parametrizacao | gestao de projetos?",
        charge=r"taxas? (?:administrativas?|de processamento|bancarias?) | sobretaxa | caucao",
        rounding=r"arredondamento",
        tax=r"iva | icms | iss",
        sum=r"subtotal | total$",
        once=r"uma vez | pagamento unico",
        recurring=r"subscricao | assinaturas? | mensa(?:l|is) | anua(?:l|is) | (?:por|ao) (?:mes|ano)"
        r" | manutencao",
    ),
    entries=EntryWords(
        periods=r"m[eê]s(?:es)? | anos?", frequencies=r"mensa(?:l|is) | anua(?:l|is)",
        before_period=r"por | durante", after_period=r"de (?:contrato|subscri[cç][aã]o|assinatura)",
        counted=r"unidades | utilizadores | usu[aá]rios | licen[cç]as?", of=r"de",
        editions=r"edi[cç][aã]o | plano | vers[aã]o", price_periods=r"m[eê]s | ano",
    ),
    currencies={
        "EUR": r"\beuros?\b", "BRL": r"\brea(?:l|is)\b(?= brasileir| \()| reais brasileiros",
        "USD": r"dolares (?:americanos|norte-americanos)",
    },
)  # fmt: skip
