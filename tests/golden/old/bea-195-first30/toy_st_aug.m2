S they plays to the well-known park .
A 1 2|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||0

S they play to the well-known park .

S they write in the town .

S they walk at school .

S they lives home .
A 1 2|||R:VERB:SVA|||live|||REQUIRED|||-NONE-|||0

S they walk every day .

S they plays every day .
A 1 2|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||0

S they go with a friend .

S they go by the sea .

S they write home .

S they sing by the sea .

S they sings home .
A 1 2|||R:VERB:SVA|||sing|||REQUIRED|||-NONE-|||0

S they go to the well-known park .

S they go with a friend .

S they walks every day .
A 1 2|||R:VERB:SVA|||walk|||REQUIRED|||-NONE-|||0

S they live every day .

S they play every day .

S they plays every day .
A 1 2|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||0

S they live home .

S they lives by the sea .
A 1 2|||R:VERB:SVA|||live|||REQUIRED|||-NONE-|||0

S they go with a friend .

S they write home .

S they sing to the well-known park .

S they go home .

S they write home .

S they walks home .
A 1 2|||R:VERB:SVA|||walk|||REQUIRED|||-NONE-|||0

S they plays with a friend .
A 1 2|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||0

S they walk with a friend .

S they goes with a friend .
A 1 2|||R:VERB:SVA|||go|||REQUIRED|||-NONE-|||0

S they write to the well-known park .

