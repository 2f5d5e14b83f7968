S he play to the well-known park .
A 1 2|||R:VERB:SVA|||plays|||REQUIRED|||-NONE-|||0

S she plays to the well-known park .

S she writes in the town .

S he walks at school .

S she live home .
A 1 2|||R:VERB:SVA|||lives|||REQUIRED|||-NONE-|||0

S she walks every day .

S she play every day .
A 1 2|||R:VERB:SVA|||plays|||REQUIRED|||-NONE-|||0

S he goes with a friend .

S he goes by the sea .

S she writes home .

S he sings by the sea .

S he sing home .
A 1 2|||R:VERB:SVA|||sings|||REQUIRED|||-NONE-|||0

S he goes to the well-known park .

S she goes with a friend .

S she walk every day .
A 1 2|||R:VERB:SVA|||walks|||REQUIRED|||-NONE-|||0

S he lives every day .

S she plays every day .

S he play every day .
A 1 2|||R:VERB:SVA|||plays|||REQUIRED|||-NONE-|||0

S she lives home .

S he live by the sea .
A 1 2|||R:VERB:SVA|||lives|||REQUIRED|||-NONE-|||0

S she goes with a friend .

S she writes home .

S he sings to the well-known park .

S he goes home .

S she writes home .

S she walk home .
A 1 2|||R:VERB:SVA|||walks|||REQUIRED|||-NONE-|||0

S he play with a friend .
A 1 2|||R:VERB:SVA|||plays|||REQUIRED|||-NONE-|||0

S he walks with a friend .

S she go with a friend .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S she writes to the well-known park .

