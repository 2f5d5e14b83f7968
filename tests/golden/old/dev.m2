S my sister plays with a friend .

S people goes by the sea .
A 1 2|||R:VERB:SVA|||go|||REQUIRED|||-NONE-|||0

S we play home .

S she writes to the well-known park .

S a dog lives home .

S he play in the town .
A 1 2|||R:VERB:SVA|||plays|||REQUIRED|||-NONE-|||0

S they sing in the town .

S she walks every day .

S they walk home .

S he walk by the sea .
A 1 2|||R:VERB:SVA|||walks|||REQUIRED|||-NONE-|||0

S they walks with a friend .
A 1 2|||R:VERB:SVA|||walk|||REQUIRED|||-NONE-|||0

S we live at school .

